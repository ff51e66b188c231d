// Classes of code points for the pre-tokenizers and the NFC boundary search, from tables generated for one Unicode
// version (generate_unicode_tables.py). Constant data: thread-safe, no state. 128-entry blocks: two loads a look-up,
// about 30 KB.
#pragma once

#include <cstdint>

namespace stint::tokenizer {

inline constexpr std::uint8_t kLetter = 1;     // \p{L}
inline constexpr std::uint8_t kNumber = 2;     // \p{N}
inline constexpr std::uint8_t kSpace = 4;      // \s: White_Space, so U+0085, U+00A0 and U+3000 too
inline constexpr std::uint8_t kNfcUnsafe = 8;  // NFC may join it to what stands before: ccc != 0 or quick check not Yes

inline constexpr std::uint32_t kClassBlockCount = 128;
extern const std::uint8_t kClassBlockIndex[0x110000 / kClassBlockCount];
extern const std::uint8_t kClassBlocks[][kClassBlockCount];

// Requires code_point < 0x110000.
inline std::uint8_t unicode_class(std::uint32_t code_point) {
  return kClassBlocks[kClassBlockIndex[code_point / kClassBlockCount]][code_point % kClassBlockCount];
}

}  // namespace stint::tokenizer
