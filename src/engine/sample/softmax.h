// Softmax over a row of logits, for drawing a token and for reporting log probabilities. Pure functions; thread-safe.
// Plain IEEE single precision in one fixed order, the same on every kernel tier, so that a seed gives the same tokens
// on every machine.
#pragma once

#include <span>

namespace stint::sample {

// weights[i] = exp((logits[i] - peak) / temperature) for logits up to `peak`; 0 for NaN, -Inf and whatever lies so far
// below the peak that single precision cannot hold it (e^-87). Relative error below 2e-7. Requires equal sizes, a
// finite peak, temperature > 0.
void softmax_weights(std::span<const float> logits, float peak, float temperature, std::span<float> weights);

// log(sum(exp(logits))), NaN and -Inf left out. Requires that `peak` is the largest logit, and finite.
double log_sum_exp(std::span<const float> logits, float peak);

}  // namespace stint::sample
