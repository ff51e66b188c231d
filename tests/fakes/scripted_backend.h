// ScriptedBackend: a Backend whose next answers a test decides: an error, or a stream over an EventScript.
// Lives on the test's loop.
#pragma once

#include <deque>
#include <string>
#include <utility>

#include "backends/backend.h"
#include "tests/fakes/scripted_event_stream.h"

namespace stint::fakes {

class ScriptedBackend final : public backends::Backend {
 public:
  explicit ScriptedBackend(std::string name) : name_(std::move(name)) {}

  // Errors to refuse the next starts with, oldest first; once used up, start() opens a stream over `script`.
  std::deque<Error> refusals;
  EventScript script;
  std::uint64_t token_count = 0;
  std::vector<std::string> started_models;

  std::string_view name() const override { return name_; }

  net::Task<Result<std::unique_ptr<backends::EventStream>>> start(const backends::Call& call, base::Deadline) override {
    started_models.emplace_back(call.model);
    if (!refusals.empty()) {
      Error refusal = std::move(refusals.front());
      refusals.pop_front();
      co_return std::unexpected(std::move(refusal));
    }
    co_return std::make_unique<ScriptedEventStream>(script);
  }

  net::Task<Result<std::uint64_t>> count_tokens(const backends::Call&, base::Deadline) override {
    co_return token_count;
  }

 private:
  std::string name_;
};

}  // namespace stint::fakes
