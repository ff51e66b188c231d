// Server-sent events: writing, and reading from bytes that arrive in any pieces. Format: WHATWG HTML, "Server-sent
// events". Single- threaded. A reader holds at most one event, bounded by its event_size_max; time is linear in the
// bytes fed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "platform/base/limits.h"
#include "platform/base/result.h"

namespace stint::net {

inline constexpr std::size_t kSseEventSizeMax = 8 * base::kMiB;

// Appends one event, blank line included. `event` may be empty (then no event line). Newlines (LF, CRLF, CR) in data
// become further data lines. Requires: no newline in `event`.
void append_sse_event(std::string& out, std::string_view event, std::string_view data);
// Appends ": text" and a blank line: what keeps an idle connection alive. Requires: no newline in `text`.
void append_sse_comment(std::string& out, std::string_view text);

struct SseEvent {
  std::string_view event;  // empty if none was named
  std::string_view data;   // data lines joined by LF
  std::string_view id;     // empty if none
  std::string_view raw;    // the bytes as received, blank line included; a leading byte order mark is left out
  bool has_data = false;   // false for blocks of comments only: not an event, but a relay passes `raw` on
};

class SseReader {
 public:
  explicit SseReader(std::size_t event_size_max = kSseEventSizeMax) : event_size_max_(event_size_max) {}

  // Adds bytes; call next() until it gives nullopt before feeding more.
  void feed(std::string_view bytes);
  // The next complete event; its views are valid until the next call of any member. ErrorKind::too_large ends the
  // stream.
  Result<std::optional<SseEvent>> next();
  // Tells that no more bytes come; next() then also gives an event that lacks its final blank line.
  void finish() { finished_ = true; }

 private:
  bool take_line(std::string_view& line);
  void parse_field(std::string_view line);
  bool skip_byte_order_mark();
  SseEvent make_event();
  void start_event();

  const std::size_t event_size_max_;
  std::string buffer_;
  std::size_t event_begin_ = 0;  // where the event under construction starts in buffer_
  std::size_t scan_ = 0;         // first byte not looked at
  std::size_t line_begin_ = 0;
  std::string event_;
  std::string data_;
  std::string id_;
  bool has_data_ = false;
  bool has_lines_ = false;
  bool at_start_ = true;
  bool after_cr_ = false;
  bool given_out_ = false;  // the last event's views may still be in use
  bool finished_ = false;
};

}  // namespace stint::net
