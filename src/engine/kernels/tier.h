// Tier: which set of kernels computes, picked at run time by what the CPU can do, never at build time. Thread-safe.
// reference is no kernel set of its own: it names the f32 path over dequantised weights against which the others are
// judged. avx512_vnni, amx and neon are places in the table; a tier without kernels is absent on every CPU.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace stint::kernels {

enum class Tier : std::uint8_t { reference, portable, avx2, avx512_vnni, amx, neon };

// Every tier there is a name for, slowest first.
std::span<const Tier> all_tiers();
// "avx2", ...
std::string_view to_string(Tier tier);
std::optional<Tier> parse_tier(std::string_view name);

// This binary has kernels for it, and CPU and operating system can run them.
bool is_available(Tier tier);
// The fastest available tier.
Tier best_tier();
// "reference, portable, avx2", for messages.
std::string available_tier_names();

}  // namespace stint::kernels
