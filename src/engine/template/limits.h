// What a chat template may cost. A template comes with a model file from anywhere: whatever it says, parsing and
// rendering end soon and in bounded memory, with an error when a limit is met.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stint::chat_template {

inline constexpr std::size_t kTemplateSizeMax = 512U << 10;
inline constexpr std::size_t kNestingMax = 160;          // of expressions and blocks in the source, and of values
inline constexpr std::size_t kEvaluationDepthMax = 320;  // nested evaluations, macro calls included
// Of one render: evaluated nodes, loop rounds, looked-at elements. The longest real conversations need a tenth.
inline constexpr std::uint64_t kStepCountMax = 20'000'000;
// Of one render: bytes of all texts and lists made, beyond 8 times the size of the input.
inline constexpr std::uint64_t kMadeSizeMax = 128ULL << 20;

}  // namespace stint::chat_template
