#include "platform/crypto/hmac.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>

#include "platform/base/assert.h"

namespace stint::crypto {

namespace {

const unsigned char* as_unsigned(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace

void HmacSha256::Free::operator()(evp_mac_ctx_st* context) const {
  EVP_MAC_CTX_free(context);
}

HmacSha256::HmacSha256(std::string_view key) {
  STINT_ASSERT(!key.empty());
  EVP_MAC* algorithm = EVP_MAC_fetch(nullptr, OSSL_MAC_NAME_HMAC, nullptr);
  STINT_ASSERT(algorithm != nullptr);
  context_.reset(EVP_MAC_CTX_new(algorithm));
  EVP_MAC_free(algorithm);  // the context holds its own reference
  STINT_ASSERT(context_ != nullptr);
  char digest_name[] = "SHA256";  // not const for the C interface's sake: it is only read
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest_name, 0),
                                   OSSL_PARAM_construct_end()};
  STINT_ASSERT(EVP_MAC_init(context_.get(), as_unsigned(key), key.size(), parameters) == 1);
}

Digest HmacSha256::mac(std::string_view message) {
  update(message);
  return finish();
}

void HmacSha256::update(std::string_view bytes) {
  STINT_ASSERT(EVP_MAC_update(context_.get(), as_unsigned(bytes), bytes.size()) == 1);
}

Digest HmacSha256::finish() {
  Digest digest;
  std::size_t size = 0;
  STINT_ASSERT(EVP_MAC_final(context_.get(), digest.data(), &size, digest.size()) == 1 && size == digest.size());
  // Without a key: back to the state after the key was absorbed, which is what makes reuse cheap.
  STINT_ASSERT(EVP_MAC_init(context_.get(), nullptr, 0, nullptr) == 1);
  return digest;
}

}  // namespace stint::crypto
