#include "platform/net/chunk_decoder.h"

#include "platform/net/http1_head.h"

namespace stint::net {

namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

ChunkDecoder::Outcome ChunkDecoder::next(std::string_view& input, std::string_view& data) {
  while (state_ != State::done && state_ != State::malformed) {
    if (input.empty()) return Outcome::need_input;
    if (state_ == State::data) {
      data = input.substr(0, remaining_size_);
      input.remove_prefix(data.size());
      remaining_size_ -= data.size();
      if (remaining_size_ == 0) state_ = State::data_cr;
      return Outcome::data;
    }
    if (!step(input.front())) {
      state_ = State::malformed;
      break;
    }
    input.remove_prefix(1);
  }
  return state_ == State::done ? Outcome::end : Outcome::malformed;
}

bool ChunkDecoder::step(char c) {
  switch (state_) {
    case State::size:
      return step_size(c);
    case State::extension:
      return step_extension(c);
    case State::size_lf:
      state_ = remaining_size_ == 0 ? State::trailer : State::data;
      digit_count_ = 0;
      return c == '\n';
    case State::data_cr:
      state_ = State::data_lf;
      return c == '\r';
    case State::data_lf:
      state_ = State::size;
      return c == '\n';
    case State::trailer:
      return step_trailer(c);
    case State::data:
    case State::done:
    case State::malformed:
      break;
  }
  return false;
}

bool ChunkDecoder::step_size(char c) {
  const int digit = hex_value(c);
  if (digit >= 0) {
    remaining_size_ = remaining_size_ * 16 + static_cast<std::uint64_t>(digit);
    return ++digit_count_ <= kSizeDigitsMax;
  }
  if (digit_count_ == 0) return false;
  state_ = c == ';' ? State::extension : State::size_lf;
  return c == ';' || c == '\r';
}

bool ChunkDecoder::step_extension(char c) {
  if (c == '\r') {
    state_ = State::size_lf;
    return true;
  }
  const bool printable = c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
  return printable && ++extension_size_ <= kExtensionSizeMax;
}

bool ChunkDecoder::step_trailer(char c) {
  if (++trailer_size_ > kTrailerSizeMax) return false;
  if (c != '\n') {
    trailer_line_.push_back(c);
    return true;
  }
  if (!trailer_line_.ends_with('\r')) return false;
  trailer_line_.pop_back();
  if (trailer_line_.empty()) {
    state_ = State::done;
    return true;
  }
  std::string_view name;
  std::string_view value;
  const bool well_formed = parse_field_line(trailer_line_, name, value);
  trailer_line_.clear();
  return well_formed;
}

}  // namespace stint::net
