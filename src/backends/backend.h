// Backend: something that answers calls: the local engine now, providers later. Lives on the io thread; owned by app.
#pragma once

#include <memory>
#include <string_view>

#include "backends/event_stream.h"
#include "chat/request.h"
#include "platform/base/clock.h"
#include "platform/base/result.h"
#include "platform/net/task.h"

namespace stint::backends {

// The tenant whose shared state this call may touch; see engine::TenantSalt.
using TenantSalt = std::array<std::uint8_t, 16>;

// One attempt at one request. Borrowed: valid until the EventStream made from it is gone.
struct Call {
  const chat::Request* request = nullptr;
  std::string_view model;  // the backend's own name for it
  TenantSalt salt{};
  bool urgent = false;
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;
  // Errors before the first event, e.g. overloaded, context_length_exceeded, unavailable while a model loads.
  virtual net::Task<Result<std::unique_ptr<EventStream>>> start(const Call& call, base::Deadline deadline) = 0;
  // Input tokens of the call as this backend would see them.
  virtual net::Task<Result<std::uint64_t>> count_tokens(const Call& call, base::Deadline deadline) = 0;
};

}  // namespace stint::backends
