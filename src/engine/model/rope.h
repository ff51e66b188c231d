// Rope: rotary position embedding (Su et al., 2021): pair i of a head turns by position * base^(-2i / head_size).
// Angles are computed once a step for all layers. One RopeTable per kind of layer (full attention, sliding window).
// Not thread-safe while prepare runs; reading is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/hyperparameters.h"

namespace stint::model {

class RopeTable {
 public:
  // `divisors`: of each pair's frequency (Llama 3's rope_freqs.weight), or empty.
  RopeTable(std::uint32_t head_size, double base, double position_scale, std::span<const float> divisors);

  // Fills the angles of one step's rows. Double precision: an f32 angle at position 8192 is off by 5e-4.
  void prepare(std::span<const std::uint32_t> positions);

  // Of row `row`: head_size / 2 cosines, then as many sines.
  std::span<const float> row(std::size_t row) const {
    return std::span(angles_).subspan(row * 2 * frequencies_.size(), 2 * frequencies_.size());
  }

 private:
  std::vector<double> frequencies_;  // radians per position, one a pair
  std::vector<float> angles_;
};

// Turns one head of `angles.size()` elements in place.
void rotate(RopePairing pairing, std::span<const float> angles, float* head);

}  // namespace stint::model
