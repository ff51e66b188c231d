#include "platform/observe/redact.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace stint::observe {

namespace {

constexpr std::array<std::string_view, 9> kCredentialNames{
    "authorization", "proxy_authorization", "cookie", "set_cookie", "password", "secret", "token", "api_key", "key"};
constexpr std::array<std::string_view, 4> kCredentialEndings{"_key", "_token", "_secret", "_password"};
// Words before a credential in HTTP headers, and beginnings of the keys of providers.
constexpr std::array<std::string_view, 2> kSchemes{"bearer ", "basic "};
constexpr std::array<std::string_view, 7> kKeyPrefixes{"sk-", "hf_", "gsk_", "xai-", "AIza", "AKIA", "eyJ"};
constexpr std::string_view kMask = "[redacted]";

// Letters of a name; a credential begins only where no name is under way ("ask-me" holds none).
bool is_name_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

// Letters of a credential: names, base64, and the dots of a JWT.
bool is_credential_letter(char c) {
  return is_name_letter(c) || c == '.' || c == '+' || c == '/' || c == '=' || c == '~';
}

bool starts_with_ignoring_case(std::string_view text, std::string_view lower) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(), [&](char b, char a) { return same(a, b); });
}

// How much of the text stays before a mask: the scheme or the key's prefix; 0 if no credential begins here.
std::size_t introduction_size(std::string_view text) {
  for (const std::string_view scheme : kSchemes) {
    const bool has_word = text.size() > scheme.size() && is_credential_letter(text[scheme.size()]);
    if (has_word && starts_with_ignoring_case(text, scheme)) return scheme.size();
  }
  for (const std::string_view prefix : kKeyPrefixes) {
    if (text.starts_with(prefix)) return prefix.size();
  }
  return 0;
}

std::size_t leading_count(std::string_view text, bool (*accepts)(char)) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, accepts) - text.begin());
}

}  // namespace

bool names_credential(std::string_view key) {
  std::string name(key);
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::ranges::find(kCredentialNames, name) != kCredentialNames.end() ||
         std::ranges::any_of(kCredentialEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

std::string mask_credentials(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t introduction = introduction_size(text);
    if (introduction > 0) {
      out += text.substr(0, introduction);
      out += kMask;
      text.remove_prefix(introduction);
      text.remove_prefix(leading_count(text, is_credential_letter));
      continue;
    }
    const std::size_t size = std::max<std::size_t>(1, leading_count(text, is_name_letter));
    out += text.substr(0, size);
    text.remove_prefix(size);
  }
  return out;
}

}  // namespace stint::observe
