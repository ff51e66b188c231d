// ChunkDecoder: takes the chunked transfer coding off a body (RFC 9112 section 7.1), strictly: CR LF line ends, bounded
// sizes, chunk extensions and trailers checked, bounded and dropped. Single-threaded; holds at most one trailer line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "platform/base/limits.h"

namespace stint::net {

class ChunkDecoder {
 public:
  enum class Outcome : std::uint8_t { need_input, data, end, malformed };

  static constexpr std::size_t kSizeDigitsMax = 15;                  // below 2^60
  static constexpr std::size_t kExtensionSizeMax = 16 * base::kKiB;  // of all chunks of a message together
  static constexpr std::size_t kTrailerSizeMax = 8 * base::kKiB;

  // Consumes from the front of `input`. With Outcome::data, `data` is a view into the input.
  Outcome next(std::string_view& input, std::string_view& data);

 private:
  enum class State : std::uint8_t { size, extension, size_lf, data, data_cr, data_lf, trailer, done, malformed };

  // One byte of framing; false if it is malformed.
  bool step(char c);
  bool step_size(char c);
  bool step_extension(char c);
  bool step_trailer(char c);

  State state_ = State::size;
  std::uint64_t remaining_size_ = 0;
  std::size_t digit_count_ = 0;
  std::size_t extension_size_ = 0;
  std::size_t trailer_size_ = 0;
  std::string trailer_line_;
};

}  // namespace stint::net
