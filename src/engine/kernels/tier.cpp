#include "engine/kernels/tier.h"

#include <array>

#include "engine/kernels/cpu_features.h"

namespace stint::kernels {

namespace {

constexpr std::array kTiers{Tier::reference, Tier::portable, Tier::avx2, Tier::avx512_vnni, Tier::amx, Tier::neon};

}  // namespace

std::span<const Tier> all_tiers() {
  return kTiers;
}

std::string_view to_string(Tier tier) {
  switch (tier) {
    case Tier::reference:
      return "reference";
    case Tier::portable:
      return "portable";
    case Tier::avx2:
      return "avx2";
    case Tier::avx512_vnni:
      return "avx512_vnni";
    case Tier::amx:
      return "amx";
    case Tier::neon:
      return "neon";
  }
  return "";
}

std::optional<Tier> parse_tier(std::string_view name) {
  for (const Tier tier : kTiers)
    if (to_string(tier) == name) return tier;
  return std::nullopt;
}

bool is_available(Tier tier) {
  switch (tier) {
    case Tier::reference:
    case Tier::portable:
      return true;
    case Tier::avx2:
      return detect_cpu_features().avx2;
    case Tier::avx512_vnni:
    case Tier::amx:
    case Tier::neon:
      return false;
  }
  return false;
}

Tier best_tier() {
  Tier best = Tier::portable;
  for (const Tier tier : kTiers)
    if (tier > best && is_available(tier)) best = tier;
  return best;
}

std::string available_tier_names() {
  std::string names;
  for (const Tier tier : kTiers) {
    if (!is_available(tier)) continue;
    if (!names.empty()) names += ", ";
    names += to_string(tier);
  }
  return names;
}

}  // namespace stint::kernels
