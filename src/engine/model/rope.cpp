#include "engine/model/rope.h"

#include <cmath>

namespace stint::model {

RopeTable::RopeTable(std::uint32_t head_size, double base, double position_scale, std::span<const float> divisors)
    : frequencies_(head_size / 2) {
  for (std::size_t i = 0; i < frequencies_.size(); ++i) {
    frequencies_[i] = std::pow(base, -2.0 * static_cast<double>(i) / head_size) * position_scale;
    if (!divisors.empty()) frequencies_[i] /= static_cast<double>(divisors[i]);
  }
}

void RopeTable::prepare(std::span<const std::uint32_t> positions) {
  const std::size_t pair_count = frequencies_.size();
  angles_.resize(positions.size() * 2 * pair_count);
  for (std::size_t row = 0; row < positions.size(); ++row) {
    float* cosines = angles_.data() + row * 2 * pair_count;
    for (std::size_t i = 0; i < pair_count; ++i) {
      const double angle = positions[row] * frequencies_[i];
      cosines[i] = static_cast<float>(std::cos(angle));
      cosines[pair_count + i] = static_cast<float>(std::sin(angle));
    }
  }
}

void rotate(RopePairing pairing, std::span<const float> angles, float* head) {
  const std::size_t pair_count = angles.size() / 2;
  const std::size_t stride = pairing == RopePairing::adjacent ? 2 : 1;
  const std::size_t partner = pairing == RopePairing::adjacent ? 1 : pair_count;
  for (std::size_t i = 0; i < pair_count; ++i) {
    const float cosine = angles[i];
    const float sine = angles[pair_count + i];
    const float first = head[i * stride];
    const float second = head[i * stride + partner];
    head[i * stride] = first * cosine - second * sine;
    head[i * stride + partner] = first * sine + second * cosine;
  }
}

}  // namespace stint::model
