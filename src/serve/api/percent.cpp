#include "serve/api/percent.h"

#include <charconv>

namespace stint::api {

std::string percent_decode(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view digits = text.substr(at).substr(1, 2);
    unsigned char byte = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (text[at] == '%' && digits.size() == 2 && error == std::errc() && end == digits.data() + 2) {
      decoded.push_back(static_cast<char>(byte));
      at += 2;
    } else {
      decoded.push_back(text[at]);
    }
  }
  return decoded;
}

std::optional<std::string> query_value(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('=')) {
      return percent_decode(pair.substr(name.size() + 1));
    }
  }
  return std::nullopt;
}

}  // namespace stint::api
