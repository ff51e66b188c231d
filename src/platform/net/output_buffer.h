// OutputBuffer: what a connection still has to send. A write goes out at once when none is pending; otherwise it joins
// the pending bytes and leaves with them. Holds at most kSizeMax bytes: writers then wait for room. A peer that takes
// nothing for the stall timeout is cut off. Single-threaded; lives beside its stream, inside the connection.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "platform/base/limits.h"
#include "platform/net/stream.h"

namespace stint::net {

class OutputBuffer {
 public:
  static constexpr std::size_t kSizeMax = base::kAnswerWindowSize;

  OutputBuffer(Stream& stream, base::Duration stall_timeout) : stream_(stream), stall_timeout_(stall_timeout) {}

  // Runs as long as the connection: sends what could not leave at once. Ends after stop() or an error.
  Task<void> pump();
  void stop();

  // Sends or keeps all pieces. Requires that they fit: size of all <= room().
  Result<void> push(std::span<const std::string_view> pieces);
  std::size_t room() const { return kSizeMax - std::min(kSizeMax, unsent_size()); }
  // Waits until there is room for at least `size` <= kSizeMax bytes.
  Task<Result<void>> wait_for_room(std::size_t size, base::Deadline deadline);
  // Waits until nothing is pending; the stall timeout limits it.
  Task<Result<void>> wait_until_sent();

 private:
  std::size_t unsent_size() const { return unsent_.size() - sent_size_; }
  // Sends as much as goes; true if anything left.
  Result<bool> send_unsent();
  void fail_with(Error error);

  Stream& stream_;
  const base::Duration stall_timeout_;
  std::string unsent_;
  std::size_t sent_size_ = 0;  // front part of unsent_ that has left
  bool unflushed_ = false;
  bool stopped_ = false;
  std::optional<Error> error_;
  Notify work_;
  Notify room_;
};

}  // namespace stint::net
