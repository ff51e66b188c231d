#include "tests/fakes/small_vocabulary.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace stint::fakes {
namespace {

constexpr std::int32_t kNormal = 1;
constexpr std::int32_t kUnknown = 2;
constexpr std::int32_t kControl = 3;
constexpr std::int32_t kUserDefined = 4;
constexpr std::int32_t kByte = 6;

// Words whose left-to-right merges make the vocabulary; a leading '_' is the space before a word.
constexpr std::array<std::string_view, 56> kWords{
    "_the",  "_and", "_of",    "_to",    "_in",     "_is",       "_that", "_it",  "_was",  "_for",  "_with", "_as",
    "_on",   "_are", "_this",  "_be",    "_by",     "_from",     "_have", "_not", "_or",   "_at",   "_you",  "_which",
    "_one",  "_all", "_there", "_would", "_their",  "_what",     "_when", "_who", "_will", "_more", "_if",   "_out",
    "_said", "_up",  "_time",  "_about", "_system", "_user",     "ing",   "ed",   "er",    "es",    "ly",    "tion",
    "ment",  "ness", "able",   "user",   "system",  "assistant", "model", "hello"};

constexpr std::string_view kChatMl =
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + "
    "'\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

constexpr std::string_view kLlama3 =
    "{{ bos_token }}{% for message in messages %}{{ '<|start_header_id|>' + message['role'] + "
    "'<|end_header_id|>\\n\\n' "
    "+ message['content'] | trim + '<|eot_id|>' }}{% endfor %}{% if add_generation_prompt %}"
    "{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{% endif %}";

constexpr std::string_view kGemma =
    "{{ bos_token }}{% for message in messages %}{% if message['role'] == 'system' %}"
    "{{ raise_exception('System role not supported') }}{% endif %}"
    "{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}"
    "{{ '<start_of_turn>' + ('model' if message['role'] == 'assistant' else message['role']) + '\\n' + "
    "message['content'] | trim + '<end_of_turn>\\n' }}{% endfor %}{% if add_generation_prompt %}"
    "{{ '<start_of_turn>model\\n' }}{% endif %}";

std::string utf8(std::uint32_t code_point) {
  if (code_point < 0x80) return {static_cast<char>(code_point)};
  return {static_cast<char>(0xc0 | (code_point >> 6)), static_cast<char>(0x80 | (code_point & 0x3f))};
}

// GPT-2's printable stand-in of a byte: itself where printable, else 256 and up in order of the byte.
std::string byte_letter(int byte) {
  const auto printable = [](int b) { return (b >= 0x21 && b <= 0x7e) || (b >= 0xa1 && b <= 0xff && b != 0xad); };
  if (printable(byte)) return utf8(static_cast<std::uint32_t>(byte));
  std::uint32_t stand_in = 256;
  for (int b = 0; b < byte; ++b) stand_in += printable(b) ? 0 : 1;
  return utf8(stand_in);
}

struct Tokens {
  std::vector<std::string> texts;
  std::vector<std::int32_t> types;
  std::vector<float> scores;
  std::vector<std::string> merges;
  std::set<std::string> known;

  void add(std::string text, std::int32_t type, float score = 0) {
    if (!known.insert(text).second) return;
    texts.push_back(std::move(text));
    types.push_back(type);
    scores.push_back(score);
  }

  // Every prefix of the word becomes a token, merged out of the prefix before it and one letter.
  void add_word(std::string_view word, std::string_view space) {
    std::string prefix;
    for (const char c : word) {
      const std::string letter = c == '_' ? std::string(space) : std::string(1, c);
      if (!prefix.empty() && !known.contains(prefix + letter)) merges.push_back(prefix + " " + letter);
      prefix += letter;
      add(prefix, kNormal, -static_cast<float>(texts.size()));
    }
  }

  std::uint32_t id_of(std::string_view text) const {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (texts[i] == text) return static_cast<std::uint32_t>(i);
    }
    return 0;
  }
};

void write_common(const Tokens& tokens, std::string_view model, std::string_view pre, std::string_view bos,
                  std::string_view eos, GgufWriter& writer) {
  writer.set_string("tokenizer.ggml.model", model);
  writer.set_string("tokenizer.ggml.pre", pre);
  writer.set_strings("tokenizer.ggml.tokens", tokens.texts);
  writer.set_integers("tokenizer.ggml.token_type", tokens.types);
  writer.set_u32("tokenizer.ggml.bos_token_id", tokens.id_of(bos));
  writer.set_u32("tokenizer.ggml.eos_token_id", tokens.id_of(eos));
}

std::uint32_t write_byte_level(SmallVocabulary vocabulary, GgufWriter& writer) {
  Tokens tokens;
  for (int byte = 0; byte < 256; ++byte) tokens.add(byte_letter(byte), kNormal);
  for (const std::string_view word : kWords) tokens.add_word(word, byte_letter(' '));
  const bool llama = vocabulary == SmallVocabulary::llama_bpe;
  if (llama) {
    for (const char* text :
         {"<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"}) {
      tokens.add(text, kControl);
    }
  } else {
    for (const char* text : {"<|endoftext|>", "<|im_start|>", "<|im_end|>"}) tokens.add(text, kControl);
    tokens.add("<think>", kUserDefined);
  }
  const std::string_view pre = llama ? "llama-bpe" : (vocabulary == SmallVocabulary::qwen2 ? "qwen2" : "smollm");
  write_common(tokens, "gpt2", pre, llama ? "<|begin_of_text|>" : "<|endoftext|>", llama ? "<|eot_id|>" : "<|im_end|>",
               writer);
  writer.set_strings("tokenizer.ggml.merges", tokens.merges);
  writer.set_boolean("tokenizer.ggml.add_bos_token", llama);
  writer.set_string("tokenizer.chat_template", llama ? kLlama3 : kChatMl);
  return static_cast<std::uint32_t>(tokens.texts.size());
}

std::uint32_t write_sentencepiece(GgufWriter& writer) {
  Tokens tokens;
  for (const char* text : {"<pad>", "<eos>", "<bos>"}) tokens.add(text, kControl);
  tokens.add("<unk>", kUnknown);
  for (const char* text : {"<start_of_turn>", "<end_of_turn>"}) tokens.add(text, kControl);
  for (int byte = 0; byte < 256; ++byte) tokens.add(fmt::format("<0x{:02X}>", byte), kByte);
  tokens.add("\n\n", kUserDefined);
  const std::string space = "\xe2\x96\x81";
  for (const std::string_view word : kWords) tokens.add_word(word, space);
  tokens.add(space, kNormal, -1000);
  for (char c = '!'; c <= '~'; ++c) tokens.add(std::string(1, c), kNormal, -1000 - static_cast<float>(c));
  write_common(tokens, "llama", "default", "<bos>", "<eos>", writer);
  writer.set_floats("tokenizer.ggml.scores", tokens.scores);
  writer.set_u32("tokenizer.ggml.unknown_token_id", tokens.id_of("<unk>"));
  writer.set_u32("tokenizer.ggml.padding_token_id", tokens.id_of("<pad>"));
  writer.set_boolean("tokenizer.ggml.add_bos_token", true);
  writer.set_boolean("tokenizer.ggml.add_eos_token", false);
  writer.set_boolean("tokenizer.ggml.add_space_prefix", false);
  writer.set_string("tokenizer.chat_template", kGemma);
  return static_cast<std::uint32_t>(tokens.texts.size());
}

}  // namespace

std::uint32_t write_vocabulary(SmallVocabulary vocabulary, GgufWriter& writer) {
  return vocabulary == SmallVocabulary::gemma ? write_sentencepiece(writer) : write_byte_level(vocabulary, writer);
}

}  // namespace stint::fakes
