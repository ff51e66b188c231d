#include "engine/template/render_input.h"

#include <algorithm>

#include "engine/template/json_text.h"

namespace stint::chat_template {
namespace {

Value untrusted(std::string_view bytes, Arena& arena) {
  Text text;
  text.bytes = bytes;
  text.trusted = bytes.empty();
  return arena.text(std::move(text));
}

// A role made of letters alone spells no control token, and as trusted text it stays in one piece with the template
// around it.
Value role_value(std::string_view role, Arena& arena) {
  const bool plain =
      role.size() <= 32 && std::ranges::all_of(role, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
  Text text;
  text.bytes = role;
  text.trusted = plain;
  return arena.text(std::move(text));
}

class Members {
 public:
  explicit Members(Arena& arena) : arena_(arena), dict_(arena.dict()) {}
  Members& set(std::string_view name, const Value& value) {
    arena_.set(*dict_.dict, arena_.text(name, true), value);
    return *this;
  }
  Value value() const { return dict_; }

 private:
  Arena& arena_;
  Value dict_;
};

Value content_value(std::string_view content, ContentForm form, Arena& arena) {
  const Value text = untrusted(content, arena);
  if (form == ContentForm::string) return text;
  const Value part = Members(arena).set("type", arena.text("text", true)).set("text", text).value();
  return arena.list({part});
}

// A model may have written something else than JSON; it then stays the text it is.
Value arguments_value(std::string_view json, Arena& arena) {
  if (json.empty()) return arena.dict();
  try {
    return parse_json(json, arena);
  } catch (const TemplateError&) {
    return untrusted(json, arena);
  }
}

Value tool_call_value(const ToolCall& call, Arena& arena) {
  const Value arguments = arguments_value(call.arguments, arena);
  const Value function = Members(arena).set("name", untrusted(call.name, arena)).set("arguments", arguments).value();
  return Members(arena)
      .set("id", untrusted(call.id, arena))
      .set("type", arena.text("function", true))
      .set("function", function)
      .value();
}

Value message_value(const Message& message, ContentForm form, Arena& arena) {
  Members members(arena);
  members.set("role", role_value(message.role, arena)).set("content", content_value(message.content, form, arena));
  if (!message.name.empty()) members.set("name", untrusted(message.name, arena));
  if (!message.tool_call_id.empty()) members.set("tool_call_id", untrusted(message.tool_call_id, arena));
  if (!message.reasoning.empty()) members.set("reasoning_content", untrusted(message.reasoning, arena));
  if (!message.tool_calls.empty()) {
    std::vector<Value> calls;
    for (const ToolCall& call : message.tool_calls) calls.push_back(tool_call_value(call, arena));
    members.set("tool_calls", arena.list(std::move(calls)));
  }
  return members.value();
}

}  // namespace

void set_variables(const RenderInput& input, ContentForm content_form, Arena& arena, Interpreter& interpreter) {
  std::vector<Value> messages;
  for (const Message& message : input.messages) messages.push_back(message_value(message, content_form, arena));
  interpreter.set("messages", arena.list(std::move(messages)));
  interpreter.set("tools", input.tools.empty() ? Value::none() : parse_json(input.tools, arena));
  interpreter.set("documents", Value::none());
  interpreter.set("add_generation_prompt", Value::of(input.add_generation_prompt && !input.continue_final_message));
  interpreter.set("bos_token", arena.text(input.bos_token, true));
  interpreter.set("eos_token", arena.text(input.eos_token, true));
  for (const auto& [name, json] : input.variables) interpreter.set(name, parse_json(json, arena));
}

std::size_t input_size(const RenderInput& input) {
  std::size_t size = input.tools.size() + input.bos_token.size() + input.eos_token.size();
  for (const auto& [name, json] : input.variables) size += name.size() + json.size();
  for (const Message& message : input.messages) {
    // What a message costs beside its text: its dict and keys.
    constexpr std::size_t kMessageOverhead = 512;
    size += kMessageOverhead + message.content.size() + message.reasoning.size() + message.name.size();
    for (const ToolCall& call : message.tool_calls) {
      size += kMessageOverhead + call.id.size() + call.name.size() + call.arguments.size();
    }
  }
  return size;
}

}  // namespace stint::chat_template
