#include "serve/api/field_reader.h"

#include <fmt/format.h>

#include "platform/base/limits.h"

namespace stint::api {
namespace {

constexpr std::size_t kModelNameSizeMax = 256;

}  // namespace

chat::ByteSpan byte_span(json::Span span) {
  return {span.begin, span.end};
}

void FieldReader::fail(Error error) {
  if (!failed()) error_ = std::move(error);
}

template <typename Number>
void FieldReader::keep(Result<Number> read, auto& target) {
  if (read) {
    target = static_cast<std::decay_t<decltype(target)>>(*read);
  } else {
    fail(std::move(read.error()));
  }
}

void FieldReader::number(const json::Value& value, double min, double max, std::optional<float>& target) {
  if (failed() || !value.given()) return;
  auto read = value.number(min, max);
  if (!read) return fail(std::move(read.error()));
  target = static_cast<float>(*read);
}

void FieldReader::integer(const json::Value& value, std::uint32_t min, std::uint32_t max,
                          std::optional<std::uint32_t>& target) {
  std::uint32_t number = 0;
  integer(value, min, max, number);
  if (!failed() && value.given()) target = number;
}

void FieldReader::integer(const json::Value& value, std::uint32_t min, std::uint32_t max, std::uint32_t& target) {
  if (!failed() && value.given()) keep(value.integer(min, max), target);
}

void FieldReader::seed(const json::Value& value, std::optional<std::uint64_t>& target) {
  if (failed() || !value.given()) return;
  if (const auto read = value.integer()) {
    target = *read;
    return;
  }
  auto read = value.signed_integer();
  if (!read) return fail(std::move(read.error()));
  target = static_cast<std::uint64_t>(*read);
}

void FieldReader::boolean(const json::Value& value, bool& target) {
  if (!failed() && value.given()) keep(value.boolean(), target);
}

void FieldReader::text(const json::Value& value, std::optional<std::string_view>& target) {
  if (!failed() && value.given()) keep(value.string(arena_), target);
}

void FieldReader::required_text(const json::Value& object, const json::Value& value, std::string_view key,
                                std::string_view& target) {
  if (failed()) return;
  if (!value.exists()) return fail(object.member_error(key, "this field is required."));
  keep(value.string(arena_), target);
}

void FieldReader::model(const json::Value& root, const json::Value& value, chat::Request& request) {
  required_text(root, value, "model", request.model);
  if (failed()) return;
  request.model_span = byte_span(value.span());
  if (request.model.empty() || request.model.size() > kModelNameSizeMax) {
    fail(value.error(fmt::format("must be a model's name of 1 to {} bytes.", kModelNameSizeMax)));
  }
}

void FieldReader::stop_strings(const json::Value& value, bool one_allowed, std::vector<std::string_view>& target) {
  if (failed() || !value.given()) return;
  const auto add = [&](const json::Value& stop) {
    std::string_view text;
    keep(stop.string(arena_), text);
    if (failed()) return;
    if (text.empty() || text.size() > base::kStopStringSizeMax) {
      return fail(stop.error(fmt::format("must be a string of 1 to {} bytes.", base::kStopStringSizeMax)));
    }
    target.push_back(text);
  };
  if (one_allowed && value.is(json::Kind::string)) return add(value);
  const auto stops = value.array();
  if (!stops) return fail(stops.error());
  for (const json::Value stop : *stops) {
    if (failed()) return;
    if (target.size() == base::kStopStringCountMax) {
      return fail(value.error(fmt::format("holds more than {} strings; send fewer.", base::kStopStringCountMax)));
    }
    add(stop);
  }
}

}  // namespace stint::api
