#include "platform/net/http1_codec.h"

#include "platform/base/assert.h"

namespace stint::net {

Http1Decoder::Event Http1Decoder::next(std::string_view& input) {
  switch (state_) {
    case State::head: {
      const Event event = take_head(input);
      const bool blank_line_ignored = event == Event::need_input && !input.empty();
      return blank_line_ignored ? take_head(input) : event;
    }
    case State::body:
      return take_body(input);
    case State::end:
      return Event::end;
    case State::failed:
      return Event::failed;
  }
  STINT_ASSERT(false);
}

void Http1Decoder::start_next(bool head_request) {
  STINT_ASSERT(state_ == State::end || (state_ == State::head && head_size_ == 0));
  state_ = State::head;
  request_ = HttpRequest();  // lets go of the body
  response_ = HttpResponseHead();
  head_request_ = head_request;
  blank_line_skipped_ = false;
  chunks_ = ChunkDecoder();
}

Http1Decoder::Event Http1Decoder::take_head(std::string_view& input) {
  std::size_t used = 0;
  bool complete = false;
  while (!complete && used < input.size()) {
    const std::size_t lf = input.find('\n', used);
    const bool line_ends = lf != std::string_view::npos;
    const std::size_t line_end = line_ends ? lf : input.size();
    if (line_end > used) after_cr_ = input[line_end - 1] == '\r';
    line_size_ += line_end - used;
    used = line_end;
    if (!line_ends) break;
    if (!after_cr_) return fail_with(400, ErrorKind::invalid_request, "A line of the head does not end in CR LF.");
    ++used;
    complete = line_size_ == 1;
    line_size_ = 0;
    after_cr_ = false;
  }
  head_size_ += used;
  if (head_size_ > base::kRequestHeadSizeMax) {
    return fail_with(431, ErrorKind::headers_too_large,
                     fmt::format("The head is larger than {} bytes.", base::kRequestHeadSizeMax));
  }
  const std::string_view part = input.substr(0, used);
  input.remove_prefix(used);
  if (!complete) {
    head_.append(part);
    return Event::need_input;
  }
  if (head_.empty()) return parse_head(part);
  head_.append(part);
  const std::string whole = std::exchange(head_, {});
  return parse_head(whole);
}

Http1Decoder::Event Http1Decoder::parse_head(std::string_view text) {
  head_size_ = 0;
  if (text.size() == 2) {
    // RFC 9112 section 2.2: one empty line before a request is the mistake of an old client, and ignored.
    if (role_ == Role::response || std::exchange(blank_line_skipped_, true)) {
      return fail_with(400, ErrorKind::invalid_request, "An empty line stands where a message should begin.");
    }
    return Event::need_input;
  }
  failure_ = role_ == Role::request ? parse_request_head(text, request_, framing_)
                                    : parse_response_head(text, head_request_, response_, framing_);
  if (failure_) {
    state_ = State::failed;
    return Event::failed;
  }
  remaining_size_ = framing_.content_length;
  const bool without_body =
      framing_.body == BodyKind::none || (framing_.body == BodyKind::length && remaining_size_ == 0);
  state_ = without_body ? State::end : State::body;
  return Event::head;
}

Http1Decoder::Event Http1Decoder::take_body(std::string_view& input) {
  if (framing_.body == BodyKind::chunked) {
    switch (chunks_.next(input, data_)) {
      case ChunkDecoder::Outcome::need_input:
        return Event::need_input;
      case ChunkDecoder::Outcome::data:
        return Event::data;
      case ChunkDecoder::Outcome::end:
        state_ = State::end;
        return Event::end;
      case ChunkDecoder::Outcome::malformed:
        return fail_with(400, ErrorKind::invalid_request, "The chunked body is malformed.");
    }
  }
  if (input.empty()) return Event::need_input;
  data_ = framing_.body == BodyKind::length ? input.substr(0, remaining_size_) : input;
  input.remove_prefix(data_.size());
  if (framing_.body == BodyKind::length) {
    remaining_size_ -= data_.size();
    if (remaining_size_ == 0) state_ = State::end;
  }
  return Event::data;
}

Http1Decoder::Event Http1Decoder::finish_input() {
  if (state_ == State::failed) return Event::failed;
  if (state_ == State::end) return Event::end;
  if (state_ == State::head && head_size_ == 0) return Event::need_input;
  if (state_ == State::body && framing_.body == BodyKind::until_close) {
    state_ = State::end;
    return Event::end;
  }
  return fail_with(400, ErrorKind::invalid_request, "The connection was closed in the middle of a message.");
}

Http1Decoder::Event Http1Decoder::fail_with(int status, ErrorKind kind, std::string message) {
  failure_ = Http1Failure{status, Error{kind, std::move(message), {}, {}}};
  state_ = State::failed;
  return Event::failed;
}

void append_chunk_size(std::string& out, std::size_t size) {
  STINT_ASSERT(size > 0);
  fmt::format_to(std::back_inserter(out), "{:x}\r\n", size);
}

}  // namespace stint::net
