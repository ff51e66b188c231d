// From what a client asked for to what the engine samples with. Pure.
#pragma once

#include "chat/request.h"
#include "engine/messages.h"

namespace stint::local {

// Absent fields take the model's plain defaults: temperature 1, nothing cut off. `seed` serves requests that name none.
engine::SamplingParams sampling_params(const chat::Sampling& sampling, std::uint64_t seed);

}  // namespace stint::local
