// Percent-decoding of paths and queries (RFC 3986, 2.1). Pure; thread-safe; linear; the result is owned by the caller
// and never longer than what went in. A percent sign that starts no escape stands for itself, as browsers have it.
// Nothing is checked about the decoded bytes: compare them, or write them through json::Writer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stint::api {

std::string percent_decode(std::string_view text);

// The decoded value of the first `name=value` in a query; nullopt if there is none. `name` is compared undecoded.
std::optional<std::string> query_value(std::string_view query, std::string_view name);

}  // namespace stint::api
