// Random: xoshiro256++ (Blackman and Vigna, 2019), seeded by its owner so that every run can be repeated.
// Not for secrets: those come from crypto/random_bytes. Not thread-safe; one per owner; 32 bytes.
#pragma once

#include <array>
#include <cstdint>

namespace stint::base {

class Random {
 public:
  explicit Random(std::uint64_t seed);

  // Uniform over all 64-bit values.
  std::uint64_t next();
  // Uniform in [0, bound). Requires bound > 0. Lemire's multiply-shift; bias below 2^-64 * bound.
  std::uint64_t below(std::uint64_t bound);
  // Uniform in [0, 1), 53 bits.
  double unit();

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace stint::base
