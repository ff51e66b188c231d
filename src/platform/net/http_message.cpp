#include "platform/net/http_message.h"

#include "platform/base/assert.h"

namespace stint::net {

namespace {

char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view trim(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && to_lower(a[i]) != to_lower(b[i])) return false;
  }
  return true;
}

Headers::Headers(std::initializer_list<std::pair<std::string_view, std::string_view>> fields) {
  for (const auto& [name, value] : fields) add(name, value);
}

void Headers::add(std::string_view name, std::string_view value) {
  STINT_ASSERT(text_.size() + name.size() + value.size() <= UINT32_MAX);
  fields_.push_back({static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(name.size()),
                     static_cast<std::uint32_t>(value.size())});
  text_.append(name).append(value);
}

void Headers::set(std::string_view name, std::string_view value) {
  remove(name);
  add(name, value);
}

void Headers::remove(std::string_view name) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (!equals_ignoring_case(this->name(i), name)) fields_[kept++] = fields_[i];
  }
  fields_.resize(kept);
}

std::optional<std::string_view> Headers::find(std::string_view name) const {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (equals_ignoring_case(this->name(i), name)) return value(i);
  }
  return std::nullopt;
}

std::size_t Headers::count(std::string_view name) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < fields_.size(); ++i) count += equals_ignoring_case(this->name(i), name) ? 1 : 0;
  return count;
}

bool Headers::has_token(std::string_view name, std::string_view token) const {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (!equals_ignoring_case(this->name(i), name)) continue;
    std::string_view rest = value(i);
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      if (equals_ignoring_case(trim(rest.substr(0, comma)), token)) return true;
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return false;
}

std::string_view Headers::name(std::size_t index) const {
  const Field& field = fields_[index];
  return std::string_view(text_).substr(field.begin, field.name_size);
}

std::string_view Headers::value(std::size_t index) const {
  const Field& field = fields_[index];
  return std::string_view(text_).substr(field.begin + field.name_size, field.value_size);
}

void Headers::reserve(std::size_t field_count, std::size_t text_size) {
  fields_.reserve(field_count);
  text_.reserve(text_size);
}

std::string_view HttpRequest::query() const {
  const std::size_t mark = target.find('?');
  return mark == std::string::npos ? std::string_view() : std::string_view(target).substr(mark + 1);
}

std::string_view reason_phrase(int status) {
  // IANA HTTP status code registry, those that we send or relay; 529 is Anthropic's.
  struct Phrase {
    int status;
    std::string_view text;
  };
  static constexpr Phrase kPhrases[] = {
      {100, "Continue"},
      {200, "OK"},
      {201, "Created"},
      {202, "Accepted"},
      {204, "No Content"},
      {206, "Partial Content"},
      {301, "Moved Permanently"},
      {302, "Found"},
      {303, "See Other"},
      {304, "Not Modified"},
      {307, "Temporary Redirect"},
      {308, "Permanent Redirect"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {402, "Payment Required"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {406, "Not Acceptable"},
      {408, "Request Timeout"},
      {409, "Conflict"},
      {410, "Gone"},
      {411, "Length Required"},
      {412, "Precondition Failed"},
      {413, "Content Too Large"},
      {415, "Unsupported Media Type"},
      {417, "Expectation Failed"},
      {421, "Misdirected Request"},
      {422, "Unprocessable Content"},
      {429, "Too Many Requests"},
      {431, "Request Header Fields Too Large"},
      {500, "Internal Server Error"},
      {501, "Not Implemented"},
      {502, "Bad Gateway"},
      {503, "Service Unavailable"},
      {504, "Gateway Timeout"},
      {505, "HTTP Version Not Supported"},
      {529, "Site Overloaded"},
  };
  for (const Phrase& phrase : kPhrases) {
    if (phrase.status == status) return phrase.text;
  }
  return "Unknown";
}

}  // namespace stint::net
