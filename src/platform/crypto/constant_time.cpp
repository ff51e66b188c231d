#include "platform/crypto/constant_time.h"

#include <openssl/crypto.h>

namespace stint::crypto {

bool constant_time_equal(std::string_view given, std::string_view expected) {
  const bool same_size = given.size() == expected.size();
  // Of another size, `given` is compared with itself: the same work, and the answer is already known.
  const char* other = same_size ? expected.data() : given.data();
  const int difference = CRYPTO_memcmp(given.data(), other, given.size());
  return same_size & (difference == 0);
}

}  // namespace stint::crypto
