#include "stages/plan/planner.h"

namespace stint::plan {

Plan make_plan(const PlanFacts& facts) {
  Plan plan;
  plan.attempts.push_back({.backend = facts.backend, .model = facts.model, .urgent = facts.urgent});
  return plan;
}

}  // namespace stint::plan
