// Planner: from facts about a request to the attempts that shall answer it. Pure: no clock, no I/O, no state; the same
// facts give the same plan, which is what the tables of its tests rely on. Thread-safe.
#pragma once

#include <string_view>
#include <vector>

#include "chat/request.h"

namespace stint::plan {

struct PlanFacts {
  chat::CallKind kind = chat::CallKind::chat;
  std::string_view backend;  // resolved
  std::string_view model;    // resolved
  bool urgent = false;
};

// One backend to ask for one model. Borrows the names of the facts.
struct Attempt {
  std::string_view backend;
  std::string_view model;
  bool urgent = false;
};

// Attempts in order: the next one is tried when the one before failed before its first content event.
struct Plan {
  std::vector<Attempt> attempts;
};

Plan make_plan(const PlanFacts& facts);

}  // namespace stint::plan
