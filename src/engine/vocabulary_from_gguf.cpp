#include "engine/vocabulary_from_gguf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace stint::engine {
namespace {

using tokenizer::Algorithm;
using tokenizer::PreTokenizer;
using tokenizer::TokenId;
using tokenizer::TokenType;
using tokenizer::Vocabulary;

// How a pre-tokenizer name of the file is carried out.
struct Pre {
  std::string_view name;
  PreTokenizer pre_tokenizer;
  bool ignore_merges = false;
  bool add_bos = false;  // unless the file says otherwise
  bool normalize_nfc = false;
};

// Names with the same splitting rule share a scanner (llama.cpp, llama-vocab.cpp, 2026-09).
constexpr std::array kPres{
    Pre{"gpt-2", PreTokenizer::gpt2},
    Pre{"phi-2", PreTokenizer::gpt2},
    Pre{"mpt", PreTokenizer::gpt2},
    Pre{"olmo", PreTokenizer::gpt2},
    Pre{"jais", PreTokenizer::gpt2},
    Pre{"trillion", PreTokenizer::gpt2},
    Pre{"granite-docling", PreTokenizer::gpt2},
    Pre{"exaone4", PreTokenizer::gpt2},
    Pre{"gigachat", PreTokenizer::gpt2},
    Pre{"mellum", PreTokenizer::gpt2},
    Pre{"a.x-4.0", PreTokenizer::gpt2},
    Pre{"smollm", PreTokenizer::smollm},
    Pre{"starcoder", PreTokenizer::smollm},
    Pre{"refact", PreTokenizer::smollm},
    Pre{"command-r", PreTokenizer::smollm},
    Pre{"codeshell", PreTokenizer::smollm},
    Pre{"exaone", PreTokenizer::smollm},
    Pre{"minerva-7b", PreTokenizer::smollm},
    Pre{"qwen2", PreTokenizer::qwen2, false, false, true},
    Pre{"deepseek-r1-qwen", PreTokenizer::qwen2, false, false, true},
    Pre{"megrez", PreTokenizer::qwen2},
    Pre{"kormo", PreTokenizer::qwen2},
    Pre{"hunyuan", PreTokenizer::qwen2},
    Pre{"stablelm2", PreTokenizer::qwen2},
    Pre{"llama-bpe", PreTokenizer::llama_bpe, true, true},
    Pre{"llama3", PreTokenizer::llama_bpe, true, true},
    Pre{"llama-v3", PreTokenizer::llama_bpe, true, true},
    Pre{"falcon3", PreTokenizer::llama_bpe, true, true},
    Pre{"lfm2", PreTokenizer::llama_bpe, true, true},
    Pre{"smaug-bpe", PreTokenizer::llama_bpe},
    Pre{"dbrx", PreTokenizer::llama_bpe},
};

// Tokens that end an answer, whatever the file's eos id says (llama.cpp keeps the same list).
constexpr std::array<std::string_view, 33> kEndTokens{"<|eot_id|>",
                                                      "<|im_end|>",
                                                      "<|end|>",
                                                      "<|return|>",
                                                      "<|call|>",
                                                      "<|flush|>",
                                                      "<|calls|>",
                                                      "<end_of_turn>",
                                                      "<|endoftext|>",
                                                      "</s>",
                                                      "<|eom_id|>",
                                                      "<EOT>",
                                                      "_<EOT>",
                                                      "[EOT]",
                                                      "[EOS]",
                                                      "<|end_of_text|>",
                                                      "<eos>",
                                                      "<turn|>",
                                                      "<|tool_response>",
                                                      "<end_of_utterance>",
                                                      "<｜end▁of▁sentence｜>",
                                                      "[e~[",
                                                      "<|fim_pad|>",
                                                      "<fim-pad>",
                                                      "<fim_pad>",
                                                      "<PAD>",
                                                      "<|fim_repo|>",
                                                      "<|repo_name|>",
                                                      "<fim-repo>",
                                                      "<REPO>",
                                                      "<reponame>",
                                                      "<|file_sep|>",
                                                      "[PAD]"};

std::string pre_names() {
  std::string names;
  for (const Pre& pre : kPres) names += (names.empty() ? "" : ", ") + std::string(pre.name);
  return names;
}

class Reader {
 public:
  explicit Reader(const gguf::Metadata& metadata) : metadata_(metadata) {}

  Result<Vocabulary> read();

 private:
  Result<void> read_tokens();
  Result<void> read_types();
  Result<void> read_byte_level();
  Result<void> read_sentencepiece();
  Result<void> read_ids();
  Result<std::optional<TokenId>> read_id(std::string_view name) const;
  void add_end_tokens_by_text();
  void add_end_token(std::optional<TokenId> token);

  const gguf::Metadata& metadata_;
  Vocabulary vocabulary_;
};

Result<Vocabulary> Reader::read() {
  const auto model = metadata_.string("tokenizer.ggml.model");
  if (!model) return std::unexpected(model.error());
  if (*model != "gpt2" && *model != "llama") {
    return fail(ErrorKind::unsupported,
                fmt::format("the tokenizer {} (tokenizer.ggml.model) is not supported; gpt2 (byte-level BPE) and llama "
                            "(SentencePiece) are.",
                            *model));
  }
  if (auto done = read_tokens(); !done) return std::unexpected(done.error());
  if (auto done = read_types(); !done) return std::unexpected(done.error());
  if (auto done = *model == "gpt2" ? read_byte_level() : read_sentencepiece(); !done) {
    return std::unexpected(done.error());
  }
  if (auto done = read_ids(); !done) return std::unexpected(done.error());
  add_end_tokens_by_text();
  return std::move(vocabulary_);
}

Result<void> Reader::read_tokens() {
  const auto tokens = metadata_.strings("tokenizer.ggml.tokens");
  if (!tokens) return std::unexpected(tokens.error());
  if (tokens->empty()) return fail(ErrorKind::corrupt, "tokenizer.ggml.tokens is empty; the model has no vocabulary.");
  vocabulary_.tokens.assign(tokens->begin(), tokens->end());
  return {};
}

Result<void> Reader::read_types() {
  if (!metadata_.contains("tokenizer.ggml.token_type")) return {};
  const auto types = metadata_.integers("tokenizer.ggml.token_type");
  if (!types) return std::unexpected(types.error());
  if (types->size() != vocabulary_.tokens.size()) {
    return fail(ErrorKind::corrupt, fmt::format("tokenizer.ggml.token_type has {} entries for {} tokens.",
                                                types->size(), vocabulary_.tokens.size()));
  }
  vocabulary_.types.reserve(types->size());
  for (const std::int64_t type : *types) {
    if (type < 0 || type > static_cast<std::int64_t>(TokenType::byte)) {
      return fail(ErrorKind::corrupt, fmt::format("tokenizer.ggml.token_type holds the unknown type {}.", type));
    }
    vocabulary_.types.push_back(type == 0 ? TokenType::normal : static_cast<TokenType>(type));
  }
  return {};
}

Result<void> Reader::read_byte_level() {
  const auto name = metadata_.string("tokenizer.ggml.pre", "default");
  if (!name) return std::unexpected(name.error());
  const auto* pre = std::ranges::find(kPres, *name, &Pre::name);
  if (pre == kPres.end()) {
    return fail(ErrorKind::unsupported,
                fmt::format("the pre-tokenizer {} (tokenizer.ggml.pre) is not supported; supported are {}.", *name,
                            pre_names()));
  }
  const auto merges = metadata_.strings("tokenizer.ggml.merges");
  if (!merges) return std::unexpected(merges.error());
  vocabulary_.algorithm = Algorithm::byte_level_bpe;
  vocabulary_.pre_tokenizer = pre->pre_tokenizer;
  vocabulary_.ignore_merges = pre->ignore_merges;
  vocabulary_.normalize_nfc = pre->normalize_nfc;
  vocabulary_.merges.assign(merges->begin(), merges->end());
  const auto add_bos = metadata_.boolean("tokenizer.ggml.add_bos_token", pre->add_bos);
  if (!add_bos) return std::unexpected(add_bos.error());
  vocabulary_.add_bos = *add_bos;
  return {};
}

Result<void> Reader::read_sentencepiece() {
  auto scores = metadata_.floats("tokenizer.ggml.scores");
  if (!scores) return std::unexpected(scores.error());
  if (scores->size() != vocabulary_.tokens.size()) {
    return fail(ErrorKind::corrupt, fmt::format("tokenizer.ggml.scores has {} entries for {} tokens.", scores->size(),
                                                vocabulary_.tokens.size()));
  }
  const auto add_bos = metadata_.boolean("tokenizer.ggml.add_bos_token", true);
  if (!add_bos) return std::unexpected(add_bos.error());
  const auto add_space_prefix = metadata_.boolean("tokenizer.ggml.add_space_prefix", true);
  if (!add_space_prefix) return std::unexpected(add_space_prefix.error());
  vocabulary_.algorithm = Algorithm::sentencepiece_bpe;
  vocabulary_.pre_tokenizer = PreTokenizer::none;
  vocabulary_.scores = std::move(*scores);
  vocabulary_.add_bos = *add_bos;
  vocabulary_.add_space_prefix = *add_space_prefix;
  return {};
}

Result<std::optional<TokenId>> Reader::read_id(std::string_view name) const {
  const std::string key = fmt::format("tokenizer.ggml.{}_token_id", name);
  if (!metadata_.contains(key)) return std::nullopt;
  const auto id = metadata_.u32(key);
  if (!id) return std::unexpected(id.error());
  if (*id < vocabulary_.tokens.size()) return *id;
  return fail(ErrorKind::corrupt,
              fmt::format("{} is {}, but there are only {} tokens.", key, *id, vocabulary_.tokens.size()));
}

Result<void> Reader::read_ids() {
  const std::array<std::pair<std::string_view, std::optional<TokenId>*>, 3> named{
      {{"bos", &vocabulary_.bos}, {"eos", &vocabulary_.eos}, {"unknown", &vocabulary_.unknown}}};
  for (const auto& [name, slot] : named) {
    const auto id = read_id(name);
    if (!id) return std::unexpected(id.error());
    *slot = *id;
  }
  // SentencePiece's own numbering, which files of that kind may leave unsaid.
  if (vocabulary_.algorithm == Algorithm::sentencepiece_bpe && vocabulary_.tokens.size() > 2) {
    if (!vocabulary_.unknown) vocabulary_.unknown = 0;
    if (!vocabulary_.bos) vocabulary_.bos = 1;
    if (!vocabulary_.eos) vocabulary_.eos = 2;
  }
  if (vocabulary_.add_bos && !vocabulary_.bos) {
    return fail(ErrorKind::corrupt,
                "the model asks for a BOS token in front (tokenizer.ggml.add_bos_token), but "
                "tokenizer.ggml.bos_token_id is missing.");
  }
  add_end_token(vocabulary_.eos);
  for (const std::string_view name : {"eot", "eom"}) {
    const auto id = read_id(name);
    if (!id) return std::unexpected(id.error());
    add_end_token(*id);
  }
  return {};
}

void Reader::add_end_token(std::optional<TokenId> token) {
  auto& ends = vocabulary_.end_of_generation;
  if (token && std::ranges::find(ends, *token) == ends.end()) ends.push_back(*token);
}

// Such a token is a control token even where the file forgot to say so; else its letters would match in user text.
void Reader::add_end_tokens_by_text() {
  for (std::size_t i = 0; i < vocabulary_.tokens.size(); ++i) {
    if (std::ranges::find(kEndTokens, vocabulary_.tokens[i]) == kEndTokens.end()) continue;
    add_end_token(static_cast<TokenId>(i));
    if (!vocabulary_.types.empty()) vocabulary_.types[i] = TokenType::control;
  }
}

}  // namespace

Result<Vocabulary> vocabulary_from_gguf(const gguf::Metadata& metadata) {
  return Reader(metadata).read();
}

}  // namespace stint::engine
