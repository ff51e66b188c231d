#include "engine/sched/residency.h"

#include <algorithm>

#include "platform/base/assert.h"

namespace stint::sched {

namespace {

struct Load {
  std::uint64_t count = 0;
  std::uint64_t tokens = 0;
  std::uint64_t pages = 0;
  std::uint64_t step_tokens = 0;

  void add(const Sequence& sequence) {
    ++count;
    tokens += sequence.reserved_tokens();
    pages += sequence.reserved_pages();
    step_tokens += sequence.step_tokens_min();
  }

  void remove(const Sequence& sequence) {
    --count;
    tokens -= sequence.reserved_tokens();
    pages -= sequence.reserved_pages();
    step_tokens -= sequence.step_tokens_min();
  }

  bool allowed(const Limits& limits, std::uint32_t pool_page_count) const {
    const bool fits = tokens <= limits.max_resident_tokens || count == 1;
    return fits && pages <= pool_page_count && step_tokens <= limits.step_token_budget;
  }
};

// Who gives way first.
bool yields_before(const Sequence& a, const Sequence& b, base::TimePoint now) {
  const std::uint32_t class_a = a.priority_class(now);
  const std::uint32_t class_b = b.priority_class(now);
  if (class_a != class_b) return class_a > class_b;
  if (a.computed_tokens() != b.computed_tokens()) return a.computed_tokens() < b.computed_tokens();
  return a.arrival() > b.arrival();
}

}  // namespace

bool goes_before(const Sequence& a, const Sequence& b, base::TimePoint now) {
  const std::uint32_t class_a = a.priority_class(now);
  const std::uint32_t class_b = b.priority_class(now);
  return class_a != class_b ? class_a < class_b : a.arrival() < b.arrival();
}

std::optional<std::vector<Sequence*>> victims_for(const Sequence& candidate,
                                                  std::span<const std::unique_ptr<Sequence>> residents,
                                                  const Limits& limits, std::uint32_t pool_page_count,
                                                  base::TimePoint now) {
  Load load;
  load.add(candidate);
  std::vector<Sequence*> yielding;
  for (const auto& resident : residents) {
    load.add(*resident);
    if (resident->priority_class(now) > candidate.own_class()) yielding.push_back(resident.get());
  }
  std::sort(yielding.begin(), yielding.end(),
            [now](const Sequence* a, const Sequence* b) { return yields_before(*a, *b, now); });
  std::size_t count = 0;
  while (!load.allowed(limits, pool_page_count)) {
    if (count == yielding.size()) return std::nullopt;
    load.remove(*yielding[count++]);
  }
  yielding.resize(count);
  return yielding;
}

std::vector<Sequence*> overflow_victims(std::span<const std::unique_ptr<Sequence>> residents, const Limits& limits,
                                        std::uint32_t pool_page_count, base::TimePoint now) {
  Load load;
  for (const auto& resident : residents) load.add(*resident);
  std::vector<Sequence*> victims;
  if (residents.empty() || load.allowed(limits, pool_page_count)) return victims;
  for (const auto& resident : residents) victims.push_back(resident.get());
  std::sort(victims.begin(), victims.end(),
            [now](const Sequence* a, const Sequence* b) { return yields_before(*a, *b, now); });
  std::size_t count = 0;
  while (!load.allowed(limits, pool_page_count)) load.remove(*victims[count++]);
  STINT_ASSERT(count < victims.size());
  victims.resize(count);
  return victims;
}

Sequence* page_victim(std::span<const std::unique_ptr<Sequence>> queued, base::TimePoint now) {
  Sequence* victim = nullptr;
  for (const auto& sequence : queued) {
    if (sequence->pages().pages().empty()) continue;
    if (victim == nullptr || yields_before(*sequence, *victim, now)) victim = sequence.get();
  }
  return victim;
}

}  // namespace stint::sched
