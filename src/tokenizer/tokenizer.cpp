#include "tokenizer/tokenizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "platform/base/assert.h"
#include "tokenizer/tables.h"

namespace stint::tokenizer {
namespace {

Result<void> check_id(std::optional<TokenId> token, std::size_t count, std::string_view name) {
  if (!token || *token < count) return {};
  return fail(
      ErrorKind::corrupt,
      fmt::format("The {} token is {}, but the vocabulary has {} tokens; the file is damaged.", name, *token, count));
}

Result<void> check_ids(const Vocabulary& vocabulary) {
  const std::size_t count = vocabulary.tokens.size();
  if (auto checked = check_id(vocabulary.bos, count, "BOS"); !checked) return checked;
  if (auto checked = check_id(vocabulary.eos, count, "EOS"); !checked) return checked;
  if (auto checked = check_id(vocabulary.unknown, count, "unknown"); !checked) return checked;
  for (const TokenId token : vocabulary.end_of_generation) {
    if (auto checked = check_id(token, count, "end-of-generation"); !checked) return checked;
  }
  return {};
}

// Room for the tokens of ordinary text and for the text of ordinary tokens; others grow their container.
constexpr std::size_t kReservedBytesPerToken = 4;

std::vector<TokenId> sorted(std::vector<TokenId> tokens) {
  std::sort(tokens.begin(), tokens.end());
  return tokens;
}

}  // namespace

Result<std::unique_ptr<const Tokenizer>> Tokenizer::build(Vocabulary vocabulary) {
  auto tokens = TokenTable::build(vocabulary);
  if (!tokens) return std::unexpected(tokens.error());
  if (auto checked = check_ids(vocabulary); !checked) return std::unexpected(checked.error());
  auto rules = MergeRules::build(vocabulary, *tokens);
  if (!rules) return std::unexpected(rules.error());
  const bool by_score = vocabulary.algorithm == Algorithm::sentencepiece_bpe;
  SpecialTokens specials(*tokens);
  SafeBoundary boundary = by_score ? SafeBoundary(*tokens) : SafeBoundary();
  std::optional<Lineage> lineage = Lineage::build(*rules);
  std::unique_ptr<Tables> tables(new Tables{
      .tokens = std::move(*tokens),
      .rules = std::move(*rules),
      .lineage = std::move(lineage),
      .specials = std::move(specials),
      .boundary = std::move(boundary),
      .algorithm = vocabulary.algorithm,
      .pre_tokenizer = vocabulary.pre_tokenizer,
      .bos = vocabulary.bos,
      .eos = vocabulary.eos,
      .end_of_generation = sorted(std::move(vocabulary.end_of_generation)),
      .add_bos = vocabulary.add_bos,
      .add_space_prefix = vocabulary.add_space_prefix,
      .ignore_merges = vocabulary.ignore_merges,
      .normalize_nfc = vocabulary.normalize_nfc,
      .scratch_pool = {},
  });
  return std::unique_ptr<const Tokenizer>(new Tokenizer(std::move(tables)));
}

Tokenizer::Tokenizer(std::unique_ptr<Tables> tables) : tables_(std::move(tables)) {}
Tokenizer::~Tokenizer() = default;

void Tokenizer::encode_until(std::string_view text, Trust trust, std::size_t count_max,
                             std::vector<TokenId>& out) const {
  ScratchPool::Lease lease = tables_->scratch_pool.lease();
  Scratch& scratch = *lease;
  bool at_start = true;
  for (std::size_t position = 0; position < text.size() && out.size() <= count_max;) {
    const SpecialTokens::Search search = tables_->specials.find(text, position, trust, true);
    const std::string_view plain = text.substr(position, search.plain_end - position);
    if (tables_->is_prepared(plain, at_start)) {
      tables_->encode_prepared(plain, scratch, count_max, out);
    } else {
      scratch.prepared.clear();
      tables_->append_prepared(plain, at_start, scratch.prepared);
      tables_->encode_prepared(scratch.prepared, scratch, count_max, out);
    }
    if (!search.match) return;
    out.push_back(search.match->token);
    position = search.match->end;
    at_start = true;
  }
}

void Tokenizer::encode(std::string_view text, Trust trust, std::vector<TokenId>& out) const {
  out.reserve(out.size() + text.size() / kReservedBytesPerToken);
  encode_until(text, trust, ~std::size_t{0}, out);
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, Trust trust) const {
  std::vector<TokenId> out;
  encode(text, trust, out);
  return out;
}

std::size_t Tokenizer::count_until(std::string_view text, Trust trust, std::size_t limit) const {
  std::vector<TokenId> out;
  encode_until(text, trust, limit, out);
  return out.size() > limit ? limit + 1 : out.size();
}

std::optional<TokenId> Tokenizer::begin_of_text(std::span<const TokenId> tokens) const {
  if (!tables_->add_bos || !tables_->bos) return std::nullopt;
  if (!tokens.empty() && tokens.front() == *tables_->bos) return std::nullopt;
  return tables_->bos;
}

std::string Tokenizer::decode(std::span<const TokenId> tokens) const {
  std::string text;
  text.reserve(tokens.size() * kReservedBytesPerToken);
  Decoder decoder(*this);
  for (const TokenId token : tokens) decoder.append(token, text);
  decoder.finish(text);
  return text;
}

std::string_view Tokenizer::token_bytes(TokenId token) const {
  return token < vocabulary_count() ? tables_->tokens.bytes(token) : std::string_view();
}

std::string_view Tokenizer::token_text(TokenId token) const {
  return token < vocabulary_count() ? tables_->tokens.text(token) : std::string_view();
}

std::optional<TokenId> Tokenizer::find_token(std::string_view text) const {
  return tables_->tokens.find(text);
}

TokenType Tokenizer::token_type(TokenId token) const {
  return token < vocabulary_count() ? tables_->tokens.type(token) : TokenType::unknown;
}

bool Tokenizer::is_end_of_generation(TokenId token) const {
  return std::binary_search(tables_->end_of_generation.begin(), tables_->end_of_generation.end(), token);
}

std::optional<TokenId> Tokenizer::bos() const {
  return tables_->bos;
}
std::optional<TokenId> Tokenizer::eos() const {
  return tables_->eos;
}
std::size_t Tokenizer::vocabulary_count() const {
  return tables_->tokens.count();
}

}  // namespace stint::tokenizer
