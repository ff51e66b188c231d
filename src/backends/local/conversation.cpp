#include "backends/local/conversation.h"

namespace stint::local {

namespace {

constexpr std::string_view kVolatileSystemLine = "x-anthropic-billing-header:";

void append_line(std::string& text, std::string_view line) {
  if (!text.empty()) text += '\n';
  text += line;
}

// A part that belongs to the message itself.
void add_part(const chat::Part& part, chat_template::Message& message) {
  switch (part.kind) {
    case chat::Part::Kind::text:
      append_line(message.content, part.text);
      break;
    case chat::Part::Kind::thinking:
      append_line(message.reasoning, part.text);
      break;
    case chat::Part::Kind::tool_use:
      message.tool_calls.push_back(
          {.id = std::string(part.id), .name = std::string(part.name), .arguments = std::string(part.text)});
      break;
    case chat::Part::Kind::tool_result:
    case chat::Part::Kind::image:
    case chat::Part::Kind::document:
    case chat::Part::Kind::opaque:
      break;
  }
}

bool is_volatile(const chat::Message& message, const chat::Part& part) {
  return message.role == chat::Role::system && part.text.starts_with(kVolatileSystemLine);
}

void add_message(const chat::Message& message, std::vector<chat_template::Message>& out) {
  chat_template::Message turn{.role = std::string(chat::to_string(message.role))};
  bool has_own_part = message.parts.empty();
  for (const chat::Part& part : message.parts) {
    if (is_volatile(message, part)) continue;
    if (part.kind == chat::Part::Kind::tool_result) {
      out.push_back({.role = "tool", .content = std::string(part.text), .tool_call_id = std::string(part.id)});
      continue;
    }
    add_part(part, turn);
    has_own_part = true;
  }
  if (has_own_part) out.push_back(std::move(turn));
}

}  // namespace

chat_template::RenderInput conversation(const chat::Request& request) {
  chat_template::RenderInput input;
  for (const chat::Message& message : request.messages) add_message(message, input.messages);
  input.add_generation_prompt = !request.continues_assistant;
  input.continue_final_message = request.continues_assistant;
  return input;
}

}  // namespace stint::local
