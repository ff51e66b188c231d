#include "platform/net/coroutine.h"

#include <cstdio>
#include <exception>

namespace stint::net {

void exception_left_task() noexcept {
  try {
    throw;
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "stint: bug: an exception left a task: %s\n", exception.what());
  } catch (...) {
    std::fprintf(stderr, "stint: bug: an exception of an unknown type left a task\n");
  }
  base::assert_failed("tasks do not throw", __FILE__, __LINE__);
}

}  // namespace stint::net
