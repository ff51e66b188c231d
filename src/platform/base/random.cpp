#include "platform/base/random.h"

#include <bit>

#include "platform/base/assert.h"

namespace stint::base {

namespace {

__extension__ using Wide = unsigned __int128;

// splitmix64 (Steele et al., 2014): spreads any seed, zero included, over the whole state.
std::uint64_t spread(std::uint64_t& seed) {
  seed += 0x9e3779b97f4a7c15u;
  std::uint64_t z = seed;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = spread(seed);
}

std::uint64_t Random::next() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
  STINT_ASSERT(bound > 0);
  return static_cast<std::uint64_t>((static_cast<Wide>(next()) * bound) >> 64);
}

double Random::unit() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

}  // namespace stint::base
