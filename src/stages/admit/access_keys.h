// AccessKeys: who may enter. A list in the configuration file; none at all leaves a loopback listener open.
// Immutable and thread-safe; owns its keys and never shows them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "platform/config/reader.h"

namespace stint::admit {

inline constexpr std::size_t kAccessKeyCountMax = 1024;
inline constexpr std::size_t kAccessKeySizeMin = 16;

struct AccessKey {
  std::string name;  // the principal; also its tenant
  std::string key;
};

class AccessKeys {
 public:
  AccessKeys() = default;
  explicit AccessKeys(std::vector<AccessKey> keys) : keys_(std::move(keys)) {}

  // The key's owner, or null. Compares with every key in constant time: neither the position of a match nor the size of
  // a common prefix can be measured. O(number of keys).
  const AccessKey* find(std::string_view presented) const;
  bool empty() const { return keys_.empty(); }

 private:
  std::vector<AccessKey> keys_;
};

// Reads `keys:` (a list of name and key). Problems: duplicate names, keys below kAccessKeySizeMin bytes.
AccessKeys read_access_keys(config::Section root);

}  // namespace stint::admit
