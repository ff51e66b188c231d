// Principal: on whose behalf a request runs: one access key, one forwarded credential, or nobody in particular on an
// open loopback listener. Plain value.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "platform/base/result.h"
#include "platform/crypto/hmac.h"
#include "stages/admit/access_keys.h"

namespace stint::admit {

// Separates the caches of tenants; equal for two requests exactly if they are of the same tenant.
using TenantSalt = std::array<std::uint8_t, 16>;

struct Principal {
  std::string name;  // an access key's name, or "open"
  TenantSalt salt{};
};

// Decides who a caller is. Lives on the io thread; owns the process secret that makes salts unguessable.
class PrincipalFinder {
 public:
  // `secret`: random bytes of this process, at least 16.
  explicit PrincipalFinder(std::string_view secret) : mac_(secret) {}

  // `credential`: what came as Bearer token or x-api-key, empty if nothing did.
  // With access keys one of them is required: errors authentication. Without, the credential names the tenant.
  Result<Principal> find(const AccessKeys& keys, std::string_view credential);

 private:
  TenantSalt salt(std::string_view kind, std::string_view tenant);
  crypto::HmacSha256 mac_;
};

// The credential in an Authorization header ("Bearer x", scheme in any case) or else in x-api-key; empty if neither
// holds one. The result borrows from the arguments.
std::string_view presented_credential(std::string_view authorization, std::string_view x_api_key);

}  // namespace stint::admit
