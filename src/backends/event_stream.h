// EventStream: the pull side of one answer. One caller of next() at a time, on the io thread. Owned by its consumer.
#pragma once

#include "chat/event.h"
#include "platform/base/clock.h"
#include "platform/base/result.h"
#include "platform/net/task.h"

namespace stint::backends {

class EventStream {
 public:
  // Requires: no next() pending.
  virtual ~EventStream() = default;
  // The next event, in the order of chat/event.h; after finish or error there is nothing more to ask for.
  // Errors: timeout (the deadline passed; the stream is still usable), cancelled.
  virtual net::Task<Result<chat::Event>> next(base::Deadline deadline) = 0;
  // Always legal, also twice and after the end; a pending next() completes with `cancelled`.
  virtual void cancel() = 0;
};

}  // namespace stint::backends
