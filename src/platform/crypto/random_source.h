// RandomSource: where secrets and ids get their bytes from; tests bring their own. SystemRandom is OpenSSL's generator,
// seeded and reseeded by the operating system; it is thread-safe and stateless for its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace stint::crypto {

class RandomSource {
 public:
  virtual ~RandomSource() = default;
  virtual void fill(std::span<std::uint8_t> bytes) = 0;
};

// Aborts if the operating system has no entropy to give: nothing safe can be done without.
class SystemRandom final : public RandomSource {
 public:
  void fill(std::span<std::uint8_t> bytes) override;
};

// `prefix` and then `length` letters of [0-9A-Za-z], each uniform: 24 letters carry 142 bits.
std::string random_id(RandomSource& source, std::string_view prefix, std::size_t length = 24);

}  // namespace stint::crypto
