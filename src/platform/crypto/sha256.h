// SHA-256 (FIPS 180-4) of a stream: checksums of downloads and files. One object per stream; not thread-safe; movable.
// Owns an OpenSSL context.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace stint::crypto {

using Digest = std::array<std::uint8_t, 32>;

class Sha256 {
 public:
  Sha256();

  void update(std::string_view bytes);
  // The digest of all updates; afterwards the object starts over.
  Digest finish();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

Digest sha256(std::string_view bytes);

// Lower-case hexadecimal.
std::string to_hex(std::span<const std::uint8_t> bytes);

}  // namespace stint::crypto
