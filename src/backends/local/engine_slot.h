// EngineSlot: the engine of the local backend, which is there only once its model has been loaded. Lives on the io
// thread; shares ownership of the engine with the streams that use it.
#pragma once

#include <memory>
#include <utility>

#include "engine/engine.h"
#include "platform/base/result.h"

namespace stint::local {

class EngineSlot {
 public:
  void set(std::shared_ptr<engine::Engine> engine) { engine_ = std::move(engine); }
  void set_failure(Error failure) { failure_ = std::move(failure); }

  // Errors: unavailable while loading; unavailable with the reason when loading failed.
  Result<std::shared_ptr<engine::Engine>> get() const {
    if (engine_) return engine_;
    if (failure_) return fail(ErrorKind::unavailable, "the local model could not be loaded: " + failure_->message);
    return fail(ErrorKind::unavailable, "the local model is still loading; try again in a few seconds");
  }

 private:
  std::shared_ptr<engine::Engine> engine_;
  std::optional<Error> failure_;
};

}  // namespace stint::local
