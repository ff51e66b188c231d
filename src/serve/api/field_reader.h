// FieldReader: copies JSON values into a chat::Request's fields and remembers the first error, so that a decoder reads
// as the list of its fields. Absent and null values leave the target as it is. After an error every call does nothing.
// Borrows the arena. Not thread-safe. Limits: the ranges passed in; those of stop strings are kStopString*Max.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "chat/request.h"
#include "platform/json/value.h"

namespace stint::api {

chat::ByteSpan byte_span(json::Span span);

class FieldReader {
 public:
  explicit FieldReader(chat::TextArena& arena) : arena_(arena) {}

  bool failed() const { return error_.has_value(); }
  // Requires: failed().
  const Error& error() const { return *error_; }
  void fail(Error error);

  void number(const json::Value& value, double min, double max, std::optional<float>& target);
  void integer(const json::Value& value, std::uint32_t min, std::uint32_t max, std::optional<std::uint32_t>& target);
  void integer(const json::Value& value, std::uint32_t min, std::uint32_t max, std::uint32_t& target);
  // Negative seeds are seeds too: their bits are taken.
  void seed(const json::Value& value, std::optional<std::uint64_t>& target);
  void boolean(const json::Value& value, bool& target);
  void text(const json::Value& value, std::optional<std::string_view>& target);
  // A string that must be there; fails with the object's path otherwise.
  void required_text(const json::Value& object, const json::Value& value, std::string_view key,
                     std::string_view& target);
  // The model's name, 1 to kModelNameSizeMax bytes.
  void model(const json::Value& root, const json::Value& value, chat::Request& request);
  // A string where `one_allowed`, or an array of strings, none empty.
  void stop_strings(const json::Value& value, bool one_allowed, std::vector<std::string_view>& target);

 private:
  template <typename Number>
  void keep(Result<Number> read, auto& target);

  chat::TextArena& arena_;
  std::optional<Error> error_;
};

}  // namespace stint::api
