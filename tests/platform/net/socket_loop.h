// SocketLoop: a loop with real sockets on the real clock, for tests that go over loopback.
#pragma once

#include "platform/net/loop.h"
#include "platform/net/socket_poller.h"

namespace stint::net {

struct SocketLoop {
  base::SystemClock clock;
  SocketPoller poller;
  Loop loop{clock, poller};

  // Generous, so that only a hang fails.
  base::Deadline soon() const { return base::Deadline::after(clock, std::chrono::seconds(20)); }
};

}  // namespace stint::net
