// ChatTemplate: turns a conversation into the prompt text of one model, by the Jinja template that came with it or by a
// built-in form. Parsed once, rendered many times.
// Immutable and thread-safe; owns its source. Limits: limits.h.
// Safety: the result says of every piece of text whether it was written by the template (trusted) or came from the
// request. The mark survives concatenation, slicing, trim, replace and the like, so that a user who writes "<|im_end|>"
// writes ten letters and not one control token.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/base/result.h"

namespace stint::chat_template {

struct ToolCall {
  std::string id;
  std::string name;
  std::string arguments;  // JSON text; anything else is handed on as a string
};

struct Message {
  std::string role;  // system, user, assistant, tool
  std::string content;
  std::string name;  // empty: none
  std::vector<ToolCall> tool_calls;
  std::string tool_call_id;  // of a tool's answer; empty: none
  std::string reasoning;     // an assistant's thoughts (`reasoning_content`); empty: none
};

struct RenderInput {
  std::vector<Message> messages;
  bool add_generation_prompt = true;
  // The last message is the beginning of the answer: the text ends with its content.
  bool continue_final_message = false;
  std::string bos_token;
  std::string eos_token;
  std::string tools;  // JSON array; empty: none
  // Further variables by name, each a JSON text, e.g. {"enable_thinking", "false"}.
  std::vector<std::pair<std::string, std::string>> variables;
  std::int64_t unix_seconds = 0;  // for strftime_now, in UTC
};

struct Segment {
  std::string text;
  bool trusted = false;
  bool operator==(const Segment&) const = default;
};

// Neighbours differ in trust; no segment is empty.
struct Rendered {
  std::vector<Segment> segments;

  // All segments joined.
  std::string text() const;
};

enum class BuiltinForm : std::uint8_t { chatml, gemma, llama3, llama2 };

class ChatTemplate {
 public:
  // Parses Jinja with the settings chat templates are written for: trim_blocks, lstrip_blocks, loop controls.
  // Errors: unsupported, too_large; the message gives line and cause.
  static Result<ChatTemplate> parse(std::string_view source);
  static ChatTemplate builtin(BuiltinForm form);

  // What a model gets: its template if it parses and renders a probe conversation; else the built-in form that fits the
  // vocabulary, with `warning()` set. `has_token` says whether the vocabulary has a token of this text.
  static ChatTemplate choose(std::string_view source, std::string_view bos_token, std::string_view eos_token,
                             const std::function<bool(std::string_view)>& has_token);

  ~ChatTemplate();
  ChatTemplate(ChatTemplate&&) noexcept;
  ChatTemplate& operator=(ChatTemplate&&) noexcept;

  // Renders as the template says. Where it raises an error, tries the same turns in the form strict templates ask for
  // (turns.h), then the built-in form chosen at load.
  // Errors: invalid_request (no messages, tools that are not JSON, text beyond the limits).
  Result<Rendered> render(const RenderInput& input) const;

  // Exactly the template, without those second attempts. Errors: invalid_request, with what the template raised.
  Result<Rendered> render_exactly(const RenderInput& input) const;

  // Why the model's own template is not used; empty if it is.
  const std::string& warning() const;

 private:
  struct Program;
  explicit ChatTemplate(std::unique_ptr<const Program> program);
  std::unique_ptr<const Program> program_;
};

}  // namespace stint::chat_template
