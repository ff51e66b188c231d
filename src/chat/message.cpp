#include "chat/message.h"

#include "platform/base/assert.h"

namespace stint::chat {

std::string_view to_string(Role role) {
  switch (role) {
    case Role::system:
      return "system";
    case Role::user:
      return "user";
    case Role::assistant:
      return "assistant";
    case Role::tool:
      return "tool";
  }
  STINT_ASSERT(false);
}

}  // namespace stint::chat
