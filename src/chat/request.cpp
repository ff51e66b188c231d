#include "chat/request.h"

#include "platform/base/assert.h"

namespace stint::chat {

std::string_view to_string(CallKind kind) {
  switch (kind) {
    case CallKind::chat:
      return "chat";
    case CallKind::complete:
      return "complete";
    case CallKind::embed:
      return "embed";
    case CallKind::count_tokens:
      return "count_tokens";
    case CallKind::relay:
      return "relay";
  }
  STINT_ASSERT(false);
}

}  // namespace stint::chat
