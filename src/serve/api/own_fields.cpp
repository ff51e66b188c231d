#include "serve/api/own_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "platform/json/fields.h"

namespace stint::api {
namespace {

constexpr std::array<std::string_view, 4> kCacheModes{"off", "refresh", "exact", "near"};
constexpr std::array<std::string_view, 3> kPriorities{"urgent", "normal", "batch"};

Error header_error(std::string_view name, std::string_view what) {
  return {ErrorKind::invalid_request, fmt::format("{}: {}", name, what), std::string(name), {}};
}

// The value of a header, kept by the request, because the message may be gone before it.
std::optional<std::string_view> kept(const net::Headers& headers, std::string_view name, chat::Request& request) {
  const auto value = headers.find(name);
  if (!value || value->empty()) return std::nullopt;
  return request.arena.keep(std::string(*value));
}

}  // namespace

void read_own_fields(const json::Value& root, FieldReader& reader, chat::Request& request) {
  using Fields = json::Fields<"session_id", "resume_from", "cache", "cache_bypass", "urgent", "quantization">;
  auto fields = Fields::read(root);
  if (!fields) return reader.fail(std::move(fields.error()));
  reader.text(fields->get<"session_id">(), request.own.session_id);
  if (const json::Value from = fields->get<"resume_from">(); from.given()) {
    auto read = from.integer();
    if (!read) return reader.fail(std::move(read.error()));
    request.own.resume_from = *read;
  }
  reader.text(fields->get<"cache">(), request.own.cache);
  if (request.own.cache && std::ranges::count(kCacheModes, *request.own.cache) == 0) {
    reader.fail(fields->get<"cache">().error("must be one of off, refresh, exact, near."));
  }
  reader.boolean(fields->get<"cache_bypass">(), request.own.cache_bypass);
  reader.boolean(fields->get<"urgent">(), request.own.urgent);
  reader.text(fields->get<"quantization">(), request.own.quantization);
  for (const json::Span span : fields->member_spans()) {
    if (span.size() > 0) request.own_field_spans.push_back(byte_span(span));
  }
}

void read_own_headers(const net::Headers& headers, FieldReader& reader, chat::Request& request) {
  if (const auto session = kept(headers, "x-stint-session", request)) request.own.session_id = session;
  if (const auto user = kept(headers, "x-stint-user", request)) request.end_user = user;
  if (const auto from = headers.find("x-stint-resume-from")) {
    std::uint64_t position = 0;
    const auto [end, error] = std::from_chars(from->data(), from->data() + from->size(), position);
    if (error != std::errc() || end != from->data() + from->size()) {
      return reader.fail(header_error("x-stint-resume-from", "must be the number of events received."));
    }
    request.own.resume_from = position;
  }
  if (const auto mode = kept(headers, "x-stint-cache", request)) {
    if (std::ranges::count(kCacheModes, *mode) == 0) {
      return reader.fail(header_error("x-stint-cache", "must be one of off, refresh, exact, near."));
    }
    request.own.cache = mode;
  }
  if (const auto priority = headers.find("x-stint-priority")) {
    if (std::ranges::count(kPriorities, *priority) == 0) {
      return reader.fail(header_error("x-stint-priority", "must be one of urgent, normal, batch."));
    }
    request.own.urgent = *priority == "urgent";
  }
}

}  // namespace stint::api
