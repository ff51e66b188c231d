#include "platform/net/sse.h"

#include <utility>

#include "platform/base/assert.h"

namespace stint::net {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kNewlines = "\r\n";

}  // namespace

void append_sse_event(std::string& out, std::string_view event, std::string_view data) {
  if (!event.empty()) {
    STINT_ASSERT(event.find_first_of(kNewlines) == std::string_view::npos);
    out.append("event: ").append(event).append("\n");
  }
  for (;;) {
    const std::size_t end = data.find_first_of(kNewlines);
    out.append("data: ").append(data.substr(0, end)).append("\n");
    if (end == std::string_view::npos) break;
    data.remove_prefix(end + (data.substr(end).starts_with("\r\n") ? 2 : 1));
  }
  out.append("\n");
}

void append_sse_comment(std::string& out, std::string_view text) {
  STINT_ASSERT(text.find_first_of(kNewlines) == std::string_view::npos);
  out.append(": ").append(text).append("\n\n");
}

void SseReader::feed(std::string_view bytes) {
  STINT_ASSERT(!finished_);
  // What next() has given out is dropped here: a byte that waits for the rest of its event is moved once, not once per
  // feed.
  if (event_begin_ > 0) {
    buffer_.erase(0, event_begin_);
    scan_ -= event_begin_;
    line_begin_ -= event_begin_;
    event_begin_ = 0;
  }
  buffer_.append(bytes);
}

bool SseReader::take_line(std::string_view& line) {
  // A CR ends its line at once, so that no event waits for the byte after it; an LF that follows belongs to it.
  if (after_cr_ && scan_ < buffer_.size()) {
    after_cr_ = false;
    if (buffer_[scan_] == '\n') line_begin_ = ++scan_;
  }
  const std::size_t end = buffer_.find_first_of(kNewlines, scan_);
  if (end == std::string::npos) {
    scan_ = buffer_.size();
    return false;
  }
  line = std::string_view(buffer_).substr(line_begin_, end - line_begin_);
  after_cr_ = buffer_[end] == '\r';
  scan_ = line_begin_ = end + 1;
  return true;
}

void SseReader::parse_field(std::string_view line) {
  has_lines_ = true;
  const std::size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (name == "data") {
    if (has_data_) data_.push_back('\n');
    data_.append(value);
    has_data_ = true;
  } else if (name == "event") {
    event_ = value;
  } else if (name == "id") {
    id_ = value;
  }
}

void SseReader::start_event() {
  event_.clear();
  data_.clear();
  id_.clear();
  has_data_ = false;
  has_lines_ = false;
}

SseEvent SseReader::make_event() {
  const std::string_view raw = std::string_view(buffer_).substr(event_begin_, scan_ - event_begin_);
  event_begin_ = line_begin_ = scan_;
  given_out_ = true;
  return SseEvent{event_, data_, id_, raw, has_data_};
}

bool SseReader::skip_byte_order_mark() {
  if (!at_start_) return true;
  const bool undecided = buffer_.size() < kByteOrderMark.size() && kByteOrderMark.starts_with(buffer_);
  if (undecided && !finished_) return false;
  if (buffer_.starts_with(kByteOrderMark)) scan_ = event_begin_ = line_begin_ = kByteOrderMark.size();
  at_start_ = false;
  return true;
}

Result<std::optional<SseEvent>> SseReader::next() {
  if (std::exchange(given_out_, false)) start_event();
  if (!skip_byte_order_mark()) return std::optional<SseEvent>();
  std::string_view line;
  while (scan_ - event_begin_ <= event_size_max_ && take_line(line)) {
    if (!line.empty()) {
      parse_field(line);
    } else if (has_lines_) {
      return make_event();
    }
  }
  if (scan_ - event_begin_ > event_size_max_) {
    return fail(ErrorKind::too_large, fmt::format("An event of the stream is larger than {} bytes.", event_size_max_));
  }
  if (!finished_ || event_begin_ == buffer_.size()) return std::optional<SseEvent>();
  if (line_begin_ < buffer_.size()) parse_field(std::string_view(buffer_).substr(line_begin_));
  scan_ = buffer_.size();
  return make_event();
}

}  // namespace stint::net
