#include "stages/admit/access_keys.h"

#include "platform/crypto/constant_time.h"

namespace stint::admit {

const AccessKey* AccessKeys::find(std::string_view presented) const {
  const AccessKey* found = nullptr;
  for (const AccessKey& candidate : keys_) {
    if (crypto::constant_time_equal(presented, candidate.key)) found = &candidate;
  }
  return found;
}

AccessKeys read_access_keys(config::Section root) {
  std::vector<AccessKey> keys;
  root.each_section("keys", "Access keys; without any, only loopback may be listened on", [&](config::Section section) {
    AccessKey key;
    key.name = section.required_string("name", "Who uses this key; appears in logs and shares caches and limits");
    key.key = section.required_string("key", "The secret that callers send as Bearer token or x-api-key");
    if (!key.key.empty() && key.key.size() < kAccessKeySizeMin) {
      section.reject("key", fmt::format("must be at least {} characters long", kAccessKeySizeMin));
    }
    if (std::ranges::any_of(keys, [&](const AccessKey& other) { return other.name == key.name; })) {
      section.reject("name", "must differ from the names of the other keys");
    }
    if (keys.size() == kAccessKeyCountMax) section.reject("name", fmt::format("is one of more than {}", keys.size()));
    if (keys.size() < kAccessKeyCountMax) keys.push_back(std::move(key));
  });
  return AccessKeys(std::move(keys));
}

}  // namespace stint::admit
