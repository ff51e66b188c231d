// min-p and top-p: which tokens of a distribution may be drawn at all. Works in place on softmax weights (largest 1,
// excluded 0), whose index order is the order of token ids; excluding a token sets its weight to 0. Pure functions;
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stint::sample {

// Excludes what is less likely than min_p times the likeliest. The likeliest always stays.
void apply_min_p(std::span<float> weights, float min_p);

// Keeps the smallest set of likeliest tokens that together hold at least top_p of the mass (of equal ones the lower
// index first), never none: Holtzman et al., 2020. Linear: masses are summed into bins of similar weight and only the
// bin where the limit falls is sorted. `scratch` is reused from call to call.
void apply_top_p(std::span<float> weights, float top_p, std::vector<std::uint32_t>& scratch);

// The index at which the running sum of weights passes unit * total; unit in [0, 1). Requires a positive weight.
std::size_t draw(std::span<const float> weights, double unit);

}  // namespace stint::sample
