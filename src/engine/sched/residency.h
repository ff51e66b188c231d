// Residency: who may be resident, and who gives way. All accounting of room and every choice of a victim is here, in
// pure functions over the sequences; the scheduler only carries the decisions out.
//
// A set of residents is allowed if their reserved tokens fit max_resident_tokens, their reserved pages the pool, and
// the tokens that each needs in every step fit the step's budget. A lone sequence may exceed max_resident_tokens.
// Reservations grow with the output; where that makes a set too large, some pause before the next step. Hence residents
// never run out of pages once the paused ones have given up theirs, and each advances in every step.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/sched/limits.h"
#include "engine/sched/sequence.h"

namespace stint::sched {

// Order of service: priority class with ageing, then arrival.
bool goes_before(const Sequence& a, const Sequence& b, base::TimePoint now);

// The residents that must pause so that `candidate` fits: none if it fits as it is; nullopt if it does not fit even
// then. Only residents of a lower class give way: the lowest first, then those with the least computed, then the
// latest.
std::optional<std::vector<Sequence*>> victims_for(const Sequence& candidate,
                                                  std::span<const std::unique_ptr<Sequence>> residents,
                                                  const Limits& limits, std::uint32_t pool_page_count,
                                                  base::TimePoint now);

// The residents that must pause because reservations have grown: the lowest class first, then those with the least
// computed, then the latest; never all of them. Empty while the set is allowed.
std::vector<Sequence*> overflow_victims(std::span<const std::unique_ptr<Sequence>> residents, const Limits& limits,
                                        std::uint32_t pool_page_count, base::TimePoint now);

// The queued sequence that gives up pages next: lowest class, then least computed, then latest. nullptr if none has
// any.
Sequence* page_victim(std::span<const std::unique_ptr<Sequence>> queued, base::TimePoint now);

}  // namespace stint::sched
