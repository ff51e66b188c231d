#include "chat/need.h"

#include <gtest/gtest.h>

namespace stint::chat {
namespace {

TEST(Refusal, names_field_lack_and_remedy) {
  const base::Error error = refusal({Feature::image, "messages.0.content.1"}, "the local model");
  EXPECT_EQ(error.kind, base::ErrorKind::unsupported);
  EXPECT_EQ(error.message, "messages.0.content.1: the local model cannot read images; send text only.");
  EXPECT_EQ(error.param, "messages.0.content.1");
  EXPECT_EQ(error.code, "");
}

TEST(Refusal, of_a_thread_carries_the_code_that_makes_sdks_resend_the_history) {
  EXPECT_EQ(refusal({Feature::thread, "thread"}, "the local model").code, "thread_unsupported_request");
}

TEST(Refusal, has_words_for_every_feature) {
  for (int feature = 0; feature <= static_cast<int>(Feature::thread); ++feature) {
    const base::Error error = refusal({static_cast<Feature>(feature), "field"}, "it");
    EXPECT_TRUE(error.message.starts_with("field: it ")) << error.message;
    EXPECT_TRUE(error.message.ends_with(".")) << error.message;
  }
}

}  // namespace
}  // namespace stint::chat
