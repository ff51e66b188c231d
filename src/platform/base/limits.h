// Every named limit of the process: the largest thing of each kind that we accept from outside or keep in memory.
// A module that needs a bound takes it from here, so that one page answers "how big can it get?".
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace stint::base {

inline constexpr std::size_t kKiB = 1024;
inline constexpr std::size_t kMiB = 1024 * kKiB;

// HTTP in
inline constexpr std::size_t kRequestHeadSizeMax = 64 * kKiB;
inline constexpr std::size_t kRequestBodySizeMax = 32 * kMiB;      // Anthropic's own limit; above: 413
inline constexpr std::size_t kBodiesInFlightSizeMax = 256 * kMiB;  // all requests together; above: 503 with retry-after
inline constexpr std::size_t kConnectionCountMax = 8192;
inline constexpr std::chrono::seconds kRequestHeadTimeout{30};
inline constexpr std::chrono::seconds kRequestBodyStallTimeout{30};
inline constexpr std::chrono::seconds kKeepAliveIdleTimeout{75};
inline constexpr std::chrono::seconds kWriteStallTimeout{30};

// Answers
inline constexpr std::size_t kAnswerSizeMax = 8 * kMiB;
inline constexpr std::size_t kAnswerWindowSize = 256 * kKiB;
inline constexpr std::chrono::seconds kStreamKeepAlive{15};

// JSON
inline constexpr std::size_t kJsonDepthMax = 128;
inline constexpr std::size_t kJsonNodeCountMax = 2'000'000;  // values and keys of one document, 16 bytes each
inline constexpr std::size_t kMessageCountMax = 100'000;
inline constexpr std::size_t kStopStringCountMax = 32;
inline constexpr std::size_t kStopStringSizeMax = 1 * kKiB;

// Text above this is tokenized and rendered on the worker thread, so that the io thread never stalls for long.
inline constexpr std::size_t kInlineTextSizeMax = 16 * kKiB;

}  // namespace stint::base
