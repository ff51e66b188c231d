#include "platform/base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace stint::base {

void assert_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "stint: bug: assertion failed: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

}  // namespace stint::base
