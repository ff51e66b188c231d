#include "platform/crypto/sha256.h"

#include <openssl/evp.h>

#include "platform/base/assert.h"

namespace stint::crypto {

void Sha256::Free::operator()(evp_md_ctx_st* context) const {
  EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  STINT_ASSERT(context_ != nullptr);
  STINT_ASSERT(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
}

void Sha256::update(std::string_view bytes) {
  STINT_ASSERT(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

Digest Sha256::finish() {
  Digest digest;
  unsigned size = 0;
  STINT_ASSERT(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1 && size == digest.size());
  STINT_ASSERT(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
  return digest;
}

Digest sha256(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15u]);
  }
  return text;
}

}  // namespace stint::crypto
