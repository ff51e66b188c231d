#include <utility>

#include "tokenizer/nfc.h"
#include "tokenizer/tables.h"
#include "tokenizer/utf8.h"

namespace stint::tokenizer {

// Text passes two stages: `raw` waits until no later byte can make it part of a special token, of a character or of a
// composed character; then it becomes part of `segment`, prepared text between special tokens, whose pieces are encoded
// in order. The last two pieces wait: whitespace that a newline may still join and an apostrophe that may become 're
// each reach back one piece beyond the last, and nothing reaches further.
struct Encoder::State {
  const Tokenizer::Tables* tables;
  Trust trust;
  std::string raw;
  std::string segment;
  bool segment_started = false;    // text of this segment has been seen, so a space prefix is no longer due
  std::size_t looked_at_size = 0;  // bytes that waited when they were last looked at

  void advance(bool at_end, std::vector<TokenId>& out);
  // Moves what `raw` has settled on, special tokens as ids, the rest into `segment`; with `at_end` all of it.
  void settle_raw(bool at_end, std::vector<TokenId>& out);
  void take(std::string_view text);
  void encode_segment(bool at_end, std::vector<TokenId>& out);
  std::size_t settled_size(std::string_view text) const;
};

namespace {

// Waiting text is looked at again only when it has grown by half, so that one endless piece costs O(n), not O(n^2).
// Below this size it is looked at every time.
constexpr std::size_t kAlwaysLookSize = 128;
constexpr std::size_t kWaitingPieceCount = 2;

}  // namespace

// The part of `text` that more text cannot change.
std::size_t Encoder::State::settled_size(std::string_view text) const {
  const std::string_view complete = text.substr(0, text.size() - incomplete_suffix_size(text));
  return tables->normalize_nfc ? nfc_stable_size(complete) : complete.size();
}

void Encoder::State::take(std::string_view text) {
  if (text.empty()) return;
  tables->append_prepared(text, !segment_started, segment);
  segment_started = true;
}

void Encoder::State::encode_segment(bool at_end, std::vector<TokenId>& out) {
  ScratchPool::Lease scratch = tables->scratch_pool.lease();
  const std::size_t waiting_count = at_end ? 0 : kWaitingPieceCount;
  std::size_t starts[kWaitingPieceCount + 1] = {};  // of the pieces that wait, oldest first
  std::size_t start_count = 0;
  std::size_t begin = 0;
  const std::string_view text = segment;
  while (begin < text.size()) {
    const std::size_t end = tables->piece_end(text, begin);
    starts[start_count++] = begin;
    if (start_count > waiting_count) {
      const std::size_t oldest_end = start_count > 1 ? starts[1] : end;
      tables->encode_piece(text, starts[0], oldest_end, *scratch, out);
      for (std::size_t i = 1; i < start_count; ++i) starts[i - 1] = starts[i];
      --start_count;
    }
    begin = end;
  }
  segment.erase(0, start_count == 0 ? text.size() : starts[0]);
  if (at_end) segment_started = false;
}

void Encoder::State::settle_raw(bool at_end, std::vector<TokenId>& out) {
  std::size_t position = 0;
  const std::string_view text = raw;
  while (true) {
    const SpecialTokens::Search search = tables->specials.find(text, position, trust, at_end);
    const std::string_view plain = text.substr(position, search.plain_end - position);
    if (!search.match) {
      const std::size_t size = at_end ? plain.size() : settled_size(plain);
      take(plain.substr(0, size));
      position += size;
      break;
    }
    take(plain);
    encode_segment(true, out);
    out.push_back(search.match->token);
    position = search.match->end;
  }
  raw.erase(0, position);
}

void Encoder::State::advance(bool at_end, std::vector<TokenId>& out) {
  settle_raw(at_end, out);
  encode_segment(at_end, out);
  looked_at_size = raw.size() + segment.size();
}

Encoder::Encoder(const Tokenizer& tokenizer, Trust trust) : state_(new State{tokenizer.tables_.get(), trust, {}, {}}) {}
Encoder::~Encoder() = default;
Encoder::Encoder(Encoder&&) noexcept = default;
Encoder& Encoder::operator=(Encoder&&) noexcept = default;

void Encoder::set_trust(Trust trust, std::vector<TokenId>& out) {
  if (trust == state_->trust) return;
  state_->settle_raw(true, out);
  state_->trust = trust;
}

void Encoder::append(std::string_view part, std::vector<TokenId>& out) {
  state_->raw += part;
  const std::size_t waiting = state_->raw.size() + state_->segment.size();
  if (waiting > kAlwaysLookSize && waiting < state_->looked_at_size + state_->looked_at_size / 2) return;
  state_->advance(false, out);
}

void Encoder::finish(std::vector<TokenId>& out) {
  state_->advance(true, out);
  state_->looked_at_size = 0;
}

}  // namespace stint::tokenizer
