// ResponseLog: the one buffer between whoever produces an answer and whoever reads it. A producer task that the log
// owns pulls events from the source and appends them; every reader is a cursor, itself an EventStream. So one answer
// can feed its client, requests that joined it, retries and resumes, and the producer does not care which of them still
// listen. Lives on the io thread; cursors and producer share ownership of the log. Bounds: a log that nobody may replay
// is a window of kAnswerWindowSize bytes that pauses the source until the slowest cursor has read; a replayable one
// keeps all events up to kAnswerSizeMax and is a window from there on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "backends/event_stream.h"
#include "chat/event.h"
#include "platform/base/clock.h"
#include "platform/net/task.h"

namespace stint::serve {

class ResponseLog : public std::enable_shared_from_this<ResponseLog> {
 public:
  struct Policy {
    bool replayable = false;  // keep everything, so that later cursors start at the beginning
    base::Duration linger{};  // how long the producer goes on after the last cursor has left; zero: it stops at once
  };

  // Starts the producer on `loop`, which must outlive the log.
  static std::shared_ptr<ResponseLog> start(net::Loop& loop, std::unique_ptr<backends::EventStream> source,
                                            Policy policy);

  // A reader from the oldest event still kept. Requires that event to be the first one (see replayable()).
  std::unique_ptr<backends::EventStream> open_cursor();

  // True while a cursor opened now would see the whole answer.
  bool replayable() const { return dropped_count_ == 0; }
  // True once the source has given finish or error, or was cancelled.
  bool finished() const { return finished_; }
  std::size_t kept_size() const { return kept_size_; }

 private:
  class Cursor;
  struct Private {};

 public:
  // For start() alone; Private cannot be named elsewhere.
  ResponseLog(Private, net::Loop& loop, std::unique_ptr<backends::EventStream> source, Policy policy);

 private:
  static net::Task<void> produce(std::shared_ptr<ResponseLog> log);
  static net::Task<void> stop_after_linger(std::shared_ptr<ResponseLog> log, base::Deadline until);
  net::Task<bool> wait_for_room();
  void append(chat::Event event);
  void drop_read_events();
  bool keeps_everything() const;
  void reader_left();

  net::Loop& loop_;
  std::unique_ptr<backends::EventStream> source_;
  const Policy policy_;
  std::deque<chat::Event> events_;
  std::uint64_t dropped_count_ = 0;  // index in the answer of events_.front()
  std::size_t kept_size_ = 0;
  bool finished_ = false;
  bool abandoned_ = false;
  base::Deadline linger_until_;  // of the last time that the last reader left
  std::deque<Cursor*> cursors_;
  net::Notify appended_;  // for cursors
  net::Notify room_;      // for the producer
};

}  // namespace stint::serve
