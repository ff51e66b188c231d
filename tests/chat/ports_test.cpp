#include "chat/ports.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace stint::chat {
namespace {

// What app relies on when it hands one room's implementation to another.
template <typename Port>
constexpr bool kIsPort =
    std::is_abstract_v<Port> && std::has_virtual_destructor_v<Port> && sizeof(Port) == sizeof(void*);

TEST(Ports, are_pure_interfaces_without_state) {
  EXPECT_TRUE(kIsPort<TokenCounter>);
  EXPECT_TRUE(kIsPort<Embedder>);
}

}  // namespace
}  // namespace stint::chat
