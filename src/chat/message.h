// Message and Part: what was said, as views into the request body or its text arena. No JSON in here.
// Valid as long as the chat::Request that owns body and arena.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace stint::chat {

// Half-open range of bytes in the request body as received.
struct ByteSpan {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool empty() const { return begin == end; }
  std::uint32_t size() const { return end - begin; }
  friend bool operator==(const ByteSpan&, const ByteSpan&) = default;
};

// OpenAI's "developer" is system; its "function" is tool.
enum class Role : std::uint8_t { system, user, assistant, tool };

std::string_view to_string(Role role);

struct Part {
  // opaque: a block we carry but do not read (server tools, results of a newer API).
  enum class Kind : std::uint8_t { text, image, document, thinking, tool_use, tool_result, opaque };

  Kind kind = Kind::text;
  std::string_view text;  // text, thinking: the words; tool_use: the arguments as JSON text; tool_result: its text
  std::string_view id;    // tool_use, tool_result
  std::string_view name;  // tool_use: the tool
  bool is_error = false;  // tool_result
  ByteSpan source;        // the block in the body; empty when content was a plain string
};

struct Message {
  Role role = Role::user;
  std::vector<Part> parts;
  ByteSpan source;  // the message object in the body
};

}  // namespace stint::chat
