// Non-cryptographic hashing for tables that live in this process. Keys that leave the process, or that an attacker may
// choose, use crypto/hmac. Thread-safe.
#pragma once

#include <cstdint>
#include <string_view>

namespace stint::base {

// XXH3, 64 bits. The seed is per table and per process.
std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed = 0);

}  // namespace stint::base
