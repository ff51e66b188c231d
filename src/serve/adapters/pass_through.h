// PassThrough: a stage whose work is still empty. It holds the stage's place in the order, its switch and its timer.
#pragma once

#include "serve/stage.h"

namespace stint::serve {

class PassThrough final : public Stage {
 public:
  explicit PassThrough(StageId id) : id_(id) {}
  StageId id() const override { return id_; }
  net::Task<Result<void>> run(Exchange&) override { co_return Result<void>(); }

 private:
  StageId id_;
};

}  // namespace stint::serve
