// HTTP messages as plain values, independent of the protocol version. Not thread-safe to change; the body is shared and
// immutable. Sizes are bounded by those who make them (codec: 64 KiB of head, kHeaderCountMax fields; server: 32 MiB of
// body).
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stint::net {

inline constexpr std::size_t kHeaderCountMax = 256;

bool equals_ignoring_case(std::string_view a, std::string_view b);

// A multi-map that keeps order and spelling; names compare without case. All text lies in one string, so a head of
// twenty fields costs two allocations. Views stay valid until the next change.
class Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<std::pair<std::string_view, std::string_view>> fields);

  void add(std::string_view name, std::string_view value);
  // Replaces every field of that name by one.
  void set(std::string_view name, std::string_view value);
  void remove(std::string_view name);

  // The first value; nullopt if there is none.
  std::optional<std::string_view> find(std::string_view name) const;
  bool contains(std::string_view name) const { return find(name).has_value(); }
  std::size_t count(std::string_view name) const;
  // True if one of the comma-separated elements of any field `name` equals `token`, without case.
  bool has_token(std::string_view name, std::string_view token) const;

  std::size_t size() const { return fields_.size(); }
  bool empty() const { return fields_.empty(); }
  std::string_view name(std::size_t index) const;
  std::string_view value(std::size_t index) const;
  void reserve(std::size_t field_count, std::size_t text_size);

 private:
  struct Field {
    std::uint32_t begin;
    std::uint32_t name_size;
    std::uint32_t value_size;
  };
  std::string text_;  // name value name value ...; removed fields leave their bytes behind
  std::vector<Field> fields_;
};

struct HttpRequest {
  std::string method;  // as sent, case-sensitive: "GET"
  std::string target;  // origin form: path, then optionally "?" and the query; "*" for OPTIONS
  int version_minor = 1;
  Headers headers;
  std::shared_ptr<const std::string> body;  // null until it has been read

  std::string_view path() const { return std::string_view(target).substr(0, target.find('?')); }
  // Without the question mark; empty if there is none.
  std::string_view query() const;
};

struct HttpResponseHead {
  int status = 200;
  Headers headers;
  std::string reason;  // of a received response; on sending the standard phrase is used
};

// "Not Found"; "Unknown" for codes without a registered phrase.
std::string_view reason_phrase(int status);

}  // namespace stint::net
