#include "backends/local/engine_slot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stint::local {
namespace {

TEST(EngineSlot, says_that_the_model_is_loading) {
  const auto engine = EngineSlot().get();
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().kind, ErrorKind::unavailable);
  EXPECT_THAT(engine.error().message, testing::HasSubstr("still loading"));
}

TEST(EngineSlot, says_why_it_will_never_be_there) {
  EngineSlot slot;
  slot.set_failure({.kind = ErrorKind::corrupt, .message = "tensor x is cut off"});
  const auto engine = slot.get();
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().kind, ErrorKind::unavailable);
  EXPECT_THAT(engine.error().message, testing::HasSubstr("tensor x is cut off"));
}

}  // namespace
}  // namespace stint::local
