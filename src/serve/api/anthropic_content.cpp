#include "serve/api/anthropic_content.h"

#include <fmt/format.h>

#include "platform/base/limits.h"
#include "platform/json/fields.h"
#include "serve/api/field_reader.h"
#include "serve/api/needs.h"

namespace stint::api {
namespace {

using chat::Part;
using json::Fields;
using json::Kind;
using json::Value;

// The words of a block's `content`: a string, or blocks of which the text ones are joined by newlines.
// Images and documents among them are noted.
Result<std::string_view> nested_text(const Value& content, chat::Request& request) {
  if (!content.given()) return std::string_view();
  if (content.is(Kind::string)) return content.string(request.arena);
  const auto blocks = content.array();
  if (!blocks) return std::unexpected(content.error("must be a string or an array of content blocks."));
  std::string_view first;
  std::string joined;
  std::size_t text_count = 0;
  for (const Value block : *blocks) {
    const auto fields = Fields<"type", "text">::read(block);
    if (!fields) return std::unexpected(fields.error());
    const Value type = fields->get<"type">();
    if (type.equals("image")) note_need(request, chat::Feature::image, block);
    if (type.equals("document")) note_need(request, chat::Feature::document, block);
    if (!type.equals("text")) continue;
    FieldReader reader(request.arena);
    std::string_view text;
    reader.required_text(block, fields->get<"text">(), "text", text);
    if (reader.failed()) return std::unexpected(reader.error());
    if (text_count == 0) first = text;
    if (text_count == 1) joined = first;
    if (text_count > 0) joined.append("\n").append(text);
    ++text_count;
  }
  return text_count < 2 ? first : request.arena.keep(std::move(joined));
}

using BlockFields = Fields<"type", "text", "thinking", "id", "name", "input", "tool_use_id", "content", "is_error">;

Result<void> decode_tool_use(const Value& block, const BlockFields& fields, chat::Request& request, Part& part) {
  part.kind = Part::Kind::tool_use;
  FieldReader reader(request.arena);
  reader.required_text(block, fields.get<"id">(), "id", part.id);
  reader.required_text(block, fields.get<"name">(), "name", part.name);
  if (reader.failed()) return std::unexpected(reader.error());
  const auto input = fields.require<"input">();
  if (!input) return std::unexpected(input.error());
  if (const auto object = input->object(); !object) return std::unexpected(object.error());
  part.text = input->raw();
  return {};
}

Result<void> decode_tool_result(const Value& block, const BlockFields& fields, chat::Request& request, Part& part) {
  part.kind = Part::Kind::tool_result;
  FieldReader reader(request.arena);
  reader.required_text(block, fields.get<"tool_use_id">(), "tool_use_id", part.id);
  reader.boolean(fields.get<"is_error">(), part.is_error);
  if (reader.failed()) return std::unexpected(reader.error());
  const auto text = nested_text(fields.get<"content">(), request);
  if (!text) return std::unexpected(text.error());
  part.text = *text;
  return {};
}

Result<Part> decode_block(const Value& block, chat::Request& request) {
  const auto fields = BlockFields::read(block);
  if (!fields) return std::unexpected(fields.error());
  FieldReader reader(request.arena);
  std::string_view type;
  reader.required_text(block, fields->get<"type">(), "type", type);
  Part part{.kind = Part::Kind::opaque, .source = byte_span(block.span())};
  Result<void> decoded;
  if (type == "text") {
    part.kind = Part::Kind::text;
    reader.required_text(block, fields->get<"text">(), "text", part.text);
  } else if (type == "thinking") {
    part.kind = Part::Kind::thinking;
    reader.required_text(block, fields->get<"thinking">(), "thinking", part.text);
  } else if (type == "tool_use") {
    decoded = decode_tool_use(block, *fields, request, part);
  } else if (type == "tool_result") {
    decoded = decode_tool_result(block, *fields, request, part);
  } else if (type == "search_result") {
    part.kind = Part::Kind::text;
    const auto text = nested_text(fields->get<"content">(), request);
    if (!text) return std::unexpected(text.error());
    part.text = *text;
  } else if (type == "image") {
    part.kind = Part::Kind::image;
    note_need(request, chat::Feature::image, block);
  } else if (type == "document") {
    part.kind = Part::Kind::document;
    note_need(request, chat::Feature::document, block);
  }
  if (reader.failed()) return std::unexpected(reader.error());
  if (!decoded) return std::unexpected(decoded.error());
  return part;
}

Result<void> decode_content(const Value& content, chat::Request& request, std::vector<Part>& parts) {
  if (content.is(Kind::string)) {
    const auto text = content.string(request.arena);
    if (!text) return std::unexpected(text.error());
    parts.push_back({.kind = Part::Kind::text, .text = *text});
    return {};
  }
  const auto blocks = content.array();
  if (!blocks) return std::unexpected(content.error("must be a string or an array of content blocks."));
  for (const Value block : *blocks) {
    auto part = decode_block(block, request);
    if (!part) return std::unexpected(part.error());
    parts.push_back(*part);
  }
  return {};
}

std::optional<chat::Role> role_of(const Value& role) {
  if (role.equals("user")) return chat::Role::user;
  if (role.equals("assistant")) return chat::Role::assistant;
  if (role.equals("system")) return chat::Role::system;
  return std::nullopt;
}

Result<void> decode_message(const Value& message, chat::Request& request) {
  const auto fields = Fields<"role", "content">::read(message);
  if (!fields) return std::unexpected(fields.error());
  const auto role = fields->require<"role">();
  if (!role) return std::unexpected(role.error());
  const auto known_role = role_of(*role);
  if (!known_role) return std::unexpected(role->error("must be one of user, assistant, system."));
  const auto content = fields->require<"content">();
  if (!content) return std::unexpected(content.error());
  chat::Message& decoded = request.messages.emplace_back();
  decoded.role = *known_role;
  decoded.source = byte_span(message.span());
  return decode_content(*content, request, decoded.parts);
}

}  // namespace

Result<void> decode_anthropic_system(const Value& system, chat::Request& request) {
  if (!system.given()) return {};
  chat::Message& message = request.messages.emplace_back();
  message.role = chat::Role::system;
  message.source = byte_span(system.span());
  return decode_content(system, request, message.parts);
}

Result<void> decode_anthropic_messages(const Value& messages, chat::Request& request) {
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
  request.continues_assistant = request.messages.back().role == chat::Role::assistant;
  return {};
}

}  // namespace stint::api
