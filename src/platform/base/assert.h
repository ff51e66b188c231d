// STINT_ASSERT: for bugs only, in every build. Input from outside never asserts; it returns an Error.
#pragma once

namespace stint::base {

// Prints the expression and its place to stderr and aborts.
[[noreturn]] void assert_failed(const char* expression, const char* file, int line);

}  // namespace stint::base

#define STINT_ASSERT(expression) \
  ((expression) ? static_cast<void>(0) : ::stint::base::assert_failed(#expression, __FILE__, __LINE__))
