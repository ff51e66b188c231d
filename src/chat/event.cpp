#include "chat/event.h"

namespace stint::chat {

std::size_t content_size(const Event& event) {
  std::size_t size = event.text.size() + event.raw.size() + event.embedding.size() * sizeof(float);
  for (const SampledLogprob& logprob : event.logprobs) {
    size += sizeof(SampledLogprob) + logprob.top.size() * sizeof(TokenLogprob);
  }
  return size;
}

}  // namespace stint::chat
