// TextArena: owns strings that cannot be views into the body (JSON escapes undone, parts joined). Pointer-stable:
// a view handed out stays valid until the arena dies. Not thread-safe. Bounded by the body it was decoded from.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>

namespace stint::chat {

class TextArena {
 public:
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

 private:
  std::deque<std::string> texts_;
};

}  // namespace stint::chat
