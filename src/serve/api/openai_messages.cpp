#include "serve/api/openai_messages.h"

#include <fmt/format.h>

#include <ranges>

#include "platform/base/limits.h"
#include "platform/json/fields.h"
#include "serve/api/field_reader.h"
#include "serve/api/needs.h"

namespace stint::api {
namespace {

using chat::Part;
using chat::Role;
using json::Fields;
using json::Kind;
using json::Value;

using MessageFields = Fields<"role", "content", "name", "tool_calls", "tool_call_id", "function_call">;

std::optional<Role> role_of(const Value& role) {
  if (role.equals("system") || role.equals("developer")) return Role::system;
  if (role.equals("user")) return Role::user;
  if (role.equals("assistant")) return Role::assistant;
  if (role.equals("tool") || role.equals("function")) return Role::tool;
  return std::nullopt;
}

Result<Part> decode_part(const Value& value, chat::Request& request) {
  const auto fields = Fields<"type", "text", "refusal">::read(value);
  if (!fields) return std::unexpected(fields.error());
  FieldReader reader(request.arena);
  std::string_view type;
  reader.required_text(value, fields->get<"type">(), "type", type);
  Part part{.kind = Part::Kind::opaque, .source = byte_span(value.span())};
  if (type == "text") {
    part.kind = Part::Kind::text;
    reader.required_text(value, fields->get<"text">(), "text", part.text);
  } else if (type == "refusal") {
    part.kind = Part::Kind::text;
    reader.required_text(value, fields->get<"refusal">(), "refusal", part.text);
  } else if (type == "image_url") {
    part.kind = Part::Kind::image;
    note_need(request, chat::Feature::image, value);
  } else if (type == "file") {
    part.kind = Part::Kind::document;
    note_need(request, chat::Feature::document, value);
  } else if (type == "input_audio") {
    note_need(request, chat::Feature::audio, value);
  }
  if (reader.failed()) return std::unexpected(reader.error());
  return part;
}

Result<void> decode_content(const Value& content, chat::Request& request, std::vector<Part>& parts) {
  if (content.is(Kind::string)) {
    const auto text = content.string(request.arena);
    if (!text) return std::unexpected(text.error());
    parts.push_back({.kind = Part::Kind::text, .text = *text});
    return {};
  }
  const auto values = content.array();
  if (!values) return std::unexpected(content.error("must be a string or an array of content parts."));
  for (const Value value : *values) {
    auto part = decode_part(value, request);
    if (!part) return std::unexpected(part.error());
    parts.push_back(*part);
  }
  return {};
}

// `function` is {name, arguments}; arguments are a string of JSON, kept as they are even when they are none.
Result<Part> decode_function(const Value& function, chat::Request& request) {
  const auto fields = Fields<"name", "arguments">::read(function);
  if (!fields) return std::unexpected(fields.error());
  Part part{.kind = Part::Kind::tool_use, .source = byte_span(function.span())};
  FieldReader reader(request.arena);
  reader.required_text(function, fields->get<"name">(), "name", part.name);
  reader.required_text(function, fields->get<"arguments">(), "arguments", part.text);
  if (reader.failed()) return std::unexpected(reader.error());
  return part;
}

Result<void> decode_tool_calls(const Value& calls, chat::Request& request, std::vector<Part>& parts) {
  if (!calls.given()) return {};
  const auto values = calls.array();
  if (!values) return std::unexpected(values.error());
  for (const Value call : *values) {
    const auto fields = Fields<"id", "function">::read(call);
    if (!fields) return std::unexpected(fields.error());
    FieldReader reader(request.arena);
    std::string_view id;
    reader.required_text(call, fields->get<"id">(), "id", id);
    if (reader.failed()) return std::unexpected(reader.error());
    Part part{.kind = Part::Kind::opaque};
    // Calls of custom tools carry no function; they are passed on unread.
    if (const Value function = fields->get<"function">(); function.given()) {
      auto decoded = decode_function(function, request);
      if (!decoded) return std::unexpected(decoded.error());
      part = *decoded;
    }
    part.id = id;
    part.source = byte_span(call.span());
    parts.push_back(part);
  }
  return {};
}

// What a tool gave back becomes one part, its text parts joined by newlines.
Result<void> decode_tool_result(const Value& message, const MessageFields& fields, chat::Request& request,
                                std::vector<Part>& parts) {
  Part result{.kind = Part::Kind::tool_result, .source = byte_span(message.span())};
  FieldReader reader(request.arena);
  if (fields.get<"role">().equals("tool")) {
    reader.required_text(message, fields.get<"tool_call_id">(), "tool_call_id", result.id);
  } else {
    reader.required_text(message, fields.get<"name">(), "name", result.name);
  }
  if (reader.failed()) return std::unexpected(reader.error());
  std::vector<Part> content;
  if (fields.get<"content">().given()) {
    if (auto decoded = decode_content(fields.get<"content">(), request, content); !decoded) return decoded;
  }
  std::erase_if(content, [](const Part& part) { return part.kind != Part::Kind::text; });
  if (content.size() == 1) result.text = content.front().text;
  if (content.size() > 1) {
    std::string joined(content.front().text);
    for (const Part& part : content | std::views::drop(1)) joined.append("\n").append(part.text);
    result.text = request.arena.keep(std::move(joined));
  }
  parts.push_back(result);
  return {};
}

Result<void> decode_message(const Value& value, chat::Request& request) {
  const auto fields = MessageFields::read(value);
  if (!fields) return std::unexpected(fields.error());
  const auto role_field = fields->require<"role">();
  if (!role_field) return std::unexpected(role_field.error());
  const auto role = role_of(*role_field);
  if (!role) {
    return std::unexpected(role_field->error("must be one of developer, system, user, assistant, tool, function."));
  }
  chat::Message& message = request.messages.emplace_back();
  message.role = *role;
  message.source = byte_span(value.span());
  if (message.role == Role::tool) return decode_tool_result(value, *fields, request, message.parts);
  const Value content = fields->get<"content">();
  if (content.given()) {
    if (auto decoded = decode_content(content, request, message.parts); !decoded) return decoded;
  } else if (message.role != Role::assistant) {
    return std::unexpected(value.member_error("content", "this field is required."));
  }
  if (message.role != Role::assistant) return {};
  if (const Value call = fields->get<"function_call">(); call.given()) {
    auto part = decode_function(call, request);
    if (!part) return std::unexpected(part.error());
    message.parts.push_back(*part);
  }
  return decode_tool_calls(fields->get<"tool_calls">(), request, message.parts);
}

}  // namespace

Result<void> decode_openai_messages(const Value& messages, chat::Request& request) {
  const auto elements = messages.array();
  if (!elements) return std::unexpected(elements.error());
  if (elements->empty()) return std::unexpected(messages.error("at least one message is required."));
  std::size_t count = 0;
  for (const Value message : *elements) {
    if (++count > base::kMessageCountMax) {
      return std::unexpected(messages.error(fmt::format("holds more than {} messages.", base::kMessageCountMax)));
    }
    if (const auto decoded = decode_message(message, request); !decoded) return decoded;
  }
  return {};
}

}  // namespace stint::api
