#include "engine/template/turns.h"

#include <string>
#include <string_view>
#include <utility>

namespace stint::chat_template {
namespace {

bool is_plain(const Message& message) {
  return message.tool_calls.empty() && message.tool_call_id.empty() && message.role != "tool";
}

std::string join(std::string first, std::string_view second) {
  if (first.empty()) return std::string(second);
  if (second.empty()) return first;
  return first.append("\n\n").append(second);
}

}  // namespace

std::vector<Message> merge_neighbours(std::vector<Message> messages) {
  std::vector<Message> merged;
  for (Message& message : messages) {
    const bool same =
        !merged.empty() && merged.back().role == message.role && is_plain(merged.back()) && is_plain(message);
    if (!same) {
      merged.push_back(std::move(message));
      continue;
    }
    merged.back().content = join(std::move(merged.back().content), message.content);
    merged.back().reasoning = join(std::move(merged.back().reasoning), message.reasoning);
  }
  return merged;
}

std::vector<Message> fold_system(std::vector<Message> messages) {
  for (Message& message : messages) {
    if (message.role == "system" || message.role == "developer") message.role = "user";
  }
  return merge_neighbours(std::move(messages));
}

}  // namespace stint::chat_template
