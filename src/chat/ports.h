// Ports: what one room needs from another without including it; app wires implementations in. All live on the io
// thread and outlive the calls made through them. Views passed to a Task must stay valid until it completes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "chat/request.h"
#include "platform/base/clock.h"
#include "platform/base/result.h"
#include "platform/net/task.h"

namespace stint::chat {

// How many tokens a text or a whole request costs, as some tokenizer sees it.
class TokenCounter {
 public:
  virtual ~TokenCounter() = default;
  // Tokens of plain text, no framing. Requires: at most kInlineTextSizeMax bytes, because it runs at once.
  virtual std::uint64_t count_text(std::string_view text) const = 0;
  // Input tokens of the whole request with its framing; long texts are counted off the io thread.
  virtual net::Task<Result<std::uint64_t>> count_request(const Request& request, base::Deadline deadline) = 0;
};

// Vectors whose distance tells how far texts are apart in meaning.
class Embedder {
 public:
  virtual ~Embedder() = default;
  virtual std::uint32_t dimension_count() const = 0;
  // One vector of dimension_count() floats a text, of length 1, in order.
  virtual net::Task<Result<std::vector<std::vector<float>>>> embed(std::vector<std::string_view> texts,
                                                                   base::Deadline deadline) = 0;
};

}  // namespace stint::chat
