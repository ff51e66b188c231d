// Masking of credentials in text for operators: the second line of defence behind not logging them. Pure; thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace stint::observe {

// True for names whose value is a credential: authorization, x-api-key, cookie, password, *_key, *_token, *_secret ...
// Case-insensitive; `-` and `_` are the same.
bool names_credential(std::string_view key);

// `text` with what looks like a credential masked: the word after "Bearer " or "Basic ", and words with the prefix of a
// provider's key ("sk-", "hf_", ...), of which only the prefix stays. One pass, linear.
std::string mask_credentials(std::string_view text);

}  // namespace stint::observe
