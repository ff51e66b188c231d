#include "platform/crypto/random_source.h"

#include <openssl/rand.h>

#include <algorithm>
#include <array>

#include "platform/base/assert.h"

namespace stint::crypto {

namespace {

constexpr std::string_view kLetters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
// Bytes from here on are drawn again: taking them modulo 62 would favour the first eight letters.
constexpr std::uint8_t kFairBound = 256 / kLetters.size() * kLetters.size();
static_assert(kFairBound == 248);

constexpr std::size_t kPieceSizeMax = std::size_t{1} << 30;  // RAND_bytes counts in int

}  // namespace

void SystemRandom::fill(std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const std::size_t size = std::min(bytes.size(), kPieceSizeMax);
    STINT_ASSERT(RAND_bytes(bytes.data(), static_cast<int>(size)) == 1);
    bytes = bytes.subspan(size);
  }
}

std::string random_id(RandomSource& source, std::string_view prefix, std::size_t length) {
  std::string id(prefix);
  const std::size_t size = prefix.size() + length;
  id.reserve(size);
  std::array<std::uint8_t, 32> bytes;
  while (id.size() < size) {
    source.fill(bytes);
    for (const std::uint8_t byte : bytes) {
      if (byte < kFairBound && id.size() < size) id.push_back(kLetters[byte % kLetters.size()]);
    }
  }
  return id;
}

}  // namespace stint::crypto
