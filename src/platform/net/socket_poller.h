// SocketPoller: the Poller that knows file descriptors: edge-triggered epoll, each socket registered once for its whole
// life. Edge-triggered because then no system call is spent on re-arming; own epoll because it reports the peer's FIN
// (EPOLLRDHUP) while unread bytes are queued, which is how a client that leaves stops its generation at once. wake() is
// thread-safe, the rest is the loop's.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/net/notify.h"
#include "platform/net/poller.h"

namespace stint::net {

// What is known about one socket. can_* are cleared by whoever meets EAGAIN and set again by the poller's next edge.
struct SocketEvents {
  Notify readable;
  Notify writable;
  Latch peer_closed;  // FIN or reset
  bool can_read = true;
  bool can_write = true;
};

class SocketPoller final : public Poller {
 public:
  SocketPoller();
  ~SocketPoller() override;

  void wait(base::Duration span) override;
  void wake() override;

  // Watches `fd` until remove(); gives the slot to remove it by. `events` must live until then.
  std::uint32_t add(int fd, SocketEvents& events);
  void remove(int fd, std::uint32_t slot);

 private:
  struct Slot {
    SocketEvents* events = nullptr;
    std::uint32_t generation = 0;  // tells a late event of the slot's last user from one of its present user
  };

  void dispatch(std::uint64_t tag, std::uint32_t flags);

  int epoll_fd_;
  int wake_fd_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
};

}  // namespace stint::net
