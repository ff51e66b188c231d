// Generation: one version of the settings and of everything derived from them. Immutable; an exchange pins the one it
// began with, so a reload never changes a request under way. What must survive a reload (backends, metrics, the prefix
// tree) lives outside, in Collaborators. Generations: the current one; io thread only.
#pragma once

#include <memory>
#include <utility>

#include "serve/browser_guard.h"
#include "serve/stage_switches.h"
#include "stages/admit/access_keys.h"
#include "stages/plan/model_names.h"

namespace stint::serve {

struct Generation {
  admit::AccessKeys access_keys;
  StageSwitches switches;
  BrowserGuard browser_guard;
  plan::ModelNames model_names;
};

class Generations {
 public:
  explicit Generations(std::shared_ptr<const Generation> first) : current_(std::move(first)) {}

  const std::shared_ptr<const Generation>& current() const { return current_; }
  void replace(std::shared_ptr<const Generation> next) { current_ = std::move(next); }

 private:
  std::shared_ptr<const Generation> current_;
};

}  // namespace stint::serve
