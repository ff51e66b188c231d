#include "serve/api/needs.h"

#include <gtest/gtest.h>

#include "platform/json/document.h"

namespace stint::api {
namespace {

TEST(Needs, keep_the_first_field_of_each_feature) {
  const auto document = json::Document::parse("[1,2,3]");
  const auto elements = *document->root().array();
  auto element = elements.begin();
  chat::Request request;
  note_need(request, chat::Feature::image, *element);
  note_need(request, chat::Feature::image, *++element);
  note_need(request, chat::Feature::thread, *++element);
  ASSERT_EQ(request.needs.size(), 2U);
  EXPECT_EQ(request.needs[0].path, "0");
  EXPECT_EQ(request.needs[1].feature, chat::Feature::thread);
  EXPECT_EQ(request.needs[1].path, "2");
}

}  // namespace
}  // namespace stint::api
