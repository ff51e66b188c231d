#include "platform/net/socket_poller.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <limits>

#include "platform/base/assert.h"

namespace stint::net {

namespace {

constexpr std::uint64_t kWakeTag = std::numeric_limits<std::uint64_t>::max();
constexpr int kEventsPerWait = 256;

// epoll counts milliseconds; rounding up keeps a deadline from spinning through its last one.
int to_timeout_ms(base::Duration span) {
  if (span == base::Duration::max()) return -1;
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(span).count();
  return static_cast<int>(std::min<std::int64_t>(ms, std::numeric_limits<int>::max()));
}

}  // namespace

SocketPoller::SocketPoller()
    : epoll_fd_(epoll_create1(EPOLL_CLOEXEC)), wake_fd_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  STINT_ASSERT(epoll_fd_ >= 0 && wake_fd_ >= 0);
  epoll_event event{};
  event.events = EPOLLIN | EPOLLET;
  event.data.u64 = kWakeTag;
  STINT_ASSERT(epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, wake_fd_, &event) == 0);
}

SocketPoller::~SocketPoller() {
  STINT_ASSERT(free_slots_.size() == slots_.size());
  ::close(wake_fd_);
  ::close(epoll_fd_);
}

void SocketPoller::wake() {
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then the wake is pending already.
  [[maybe_unused]] const ssize_t written = ::write(wake_fd_, &one, sizeof one);
}

void SocketPoller::wait(base::Duration span) {
  std::array<epoll_event, kEventsPerWait> events;
  const int count = epoll_wait(epoll_fd_, events.data(), kEventsPerWait, to_timeout_ms(span));
  STINT_ASSERT(count >= 0 || errno == EINTR);
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    // Edge-triggered: the eventfd's counter need not be read to be told of the next write.
    if (event.data.u64 != kWakeTag) dispatch(event.data.u64, event.events);
  }
}

std::uint32_t SocketPoller::add(int fd, SocketEvents& events) {
  std::uint32_t slot = 0;
  if (free_slots_.empty()) {
    slot = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  slots_[slot].events = &events;
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  event.data.u64 = (std::uint64_t{slots_[slot].generation} << 32) | slot;
  STINT_ASSERT(epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, fd, &event) == 0);
  return slot;
}

void SocketPoller::remove(int fd, std::uint32_t slot) {
  STINT_ASSERT(epoll_ctl(epoll_fd_, EPOLL_CTL_DEL, fd, nullptr) == 0);
  slots_[slot].events = nullptr;
  ++slots_[slot].generation;
  free_slots_.push_back(slot);
}

void SocketPoller::dispatch(std::uint64_t tag, std::uint32_t flags) {
  const Slot& slot = slots_[static_cast<std::uint32_t>(tag)];
  if (slot.events == nullptr || slot.generation != tag >> 32) return;
  SocketEvents& events = *slot.events;
  const bool gone = (flags & (EPOLLERR | EPOLLHUP)) != 0;
  if (gone || (flags & EPOLLOUT) != 0) {
    events.can_write = true;
    events.writable.notify_all();
  }
  if (gone || (flags & (EPOLLIN | EPOLLRDHUP)) != 0) {
    events.can_read = true;
    events.readable.notify_all();
  }
  // Last: the callback of the latch may close the socket and free `events`.
  if (gone || (flags & EPOLLRDHUP) != 0) events.peer_closed.set();
}

}  // namespace stint::net
