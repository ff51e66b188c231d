#include "stages/admit/principal.h"

namespace stint::admit {

namespace {

constexpr std::string_view kBearer = "bearer ";

bool is_bearer(std::string_view authorization) {
  if (authorization.size() < kBearer.size()) return false;
  for (std::size_t i = 0; i < kBearer.size(); ++i) {
    const char letter = authorization[i];
    const char lower = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    if (lower != kBearer[i]) return false;
  }
  return true;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

std::string_view presented_credential(std::string_view authorization, std::string_view x_api_key) {
  if (is_bearer(authorization)) {
    const std::string_view token = trim(authorization.substr(kBearer.size()));
    if (!token.empty()) return token;
  }
  return trim(x_api_key);
}

Result<Principal> PrincipalFinder::find(const AccessKeys& keys, std::string_view credential) {
  if (keys.empty()) return Principal{.name = "open", .salt = salt("credential", credential)};
  if (credential.empty()) {
    return fail(ErrorKind::authentication,
                "no access key: send one as `Authorization: Bearer KEY` or `x-api-key: KEY`");
  }
  const AccessKey* key = keys.find(credential);
  if (key == nullptr) return fail(ErrorKind::authentication, "the access key is not one of those configured here");
  return Principal{.name = key->name, .salt = salt("key", key->name)};
}

TenantSalt PrincipalFinder::salt(std::string_view kind, std::string_view tenant) {
  mac_.update(kind);
  mac_.update(std::string_view("\0", 1));
  mac_.update(tenant);
  const crypto::Digest digest = mac_.finish();
  TenantSalt salt;
  std::copy_n(digest.begin(), salt.size(), salt.begin());
  return salt;
}

}  // namespace stint::admit
