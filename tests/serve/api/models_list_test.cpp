#include "serve/api/models_list.h"

#include <gtest/gtest.h>

#include "platform/json/document.h"
#include "platform/json/fields.h"

namespace stint::api {
namespace {

using chat::DialectId;

std::vector<ModelInfo> models(std::size_t count) {
  std::vector<ModelInfo> made;
  for (std::size_t i = 0; i < count; ++i) {
    made.push_back(
        {.id = fmt::format("m{}", i), .display_name = fmt::format("Model {}", i), .created_unix_s = 1'700'000'000});
  }
  return made;
}

// "m1 m2 | has_more first last" of an Anthropic page.
std::string page(std::size_t count, std::string_view query) {
  const auto body = encode_models(models(count), query, DialectId::anthropic);
  if (!body) return body.error().message;
  const auto document = json::Document::parse(*body);
  const auto fields = json::Fields<"data", "has_more", "first_id", "last_id">::read(document->root());
  std::string text;
  for (const json::Value model : *fields->get<"data">().array()) {
    text += *json::Fields<"id">::read(model)->get<"id">().string() + " ";
  }
  return text + fmt::format("| {} {} {}", fields->get<"has_more">().raw(), fields->get<"first_id">().raw(),
                            fields->get<"last_id">().raw());
}

TEST(ModelsList, anthropic_pages_forwards) {
  EXPECT_EQ(page(3, ""), R"(m0 m1 m2 | false "m0" "m2")");
  EXPECT_EQ(page(3, "limit=2"), R"(m0 m1 | true "m0" "m1")");
  EXPECT_EQ(page(3, "limit=2&after_id=m1"), R"(m2 | false "m2" "m2")");
  EXPECT_EQ(page(0, "limit=1000&lifecycle%5B%5D=active"), "| false null null");
}

TEST(ModelsList, anthropic_pages_backwards) {
  EXPECT_EQ(page(5, "limit=2&before_id=m4"), R"(m2 m3 | true "m2" "m3")");
  EXPECT_EQ(page(5, "limit=2&before_id=m2"), R"(m0 m1 | false "m0" "m1")");
}

TEST(ModelsList, unknown_cursors_end_the_paging) {
  EXPECT_EQ(page(3, "after_id=after_id"), "| false null null");
  EXPECT_EQ(page(3, "before_id=before_id"), "| false null null");
}

TEST(ModelsList, the_limit_has_a_range) {
  EXPECT_EQ(page(3, "limit=0"), "limit: must be an integer from 1 to 1000.");
  EXPECT_EQ(page(3, "limit=1001"), "limit: must be an integer from 1 to 1000.");
  EXPECT_EQ(page(3, "limit=x"), "limit: must be an integer from 1 to 1000.");
}

TEST(ModelsList, default_page_holds_twenty) {
  EXPECT_TRUE(page(21, "").ends_with(R"(| true "m0" "m19")"));
}

TEST(ModelsList, anthropic_model) {
  const ModelInfo model{
      .id = "smol", .display_name = "Smol", .created_unix_s = 1'700'000'000, .max_input_tokens = 8192};
  EXPECT_EQ(
      encode_model(model, DialectId::anthropic),
      R"({"type":"model","id":"smol","display_name":"Smol","created_at":"2023-11-14T22:13:20Z",)"
      R"("max_input_tokens":8192,"max_tokens":null,"capabilities":null,"lifecycle":"active","deprecated_at":null,)"
      R"("retires_at":null})");
}

TEST(ModelsList, openai_list_and_model) {
  EXPECT_EQ(*encode_models(models(1), "limit=0", DialectId::openai),
            R"({"object":"list","data":[{"id":"m0","object":"model","created":1700000000,"owned_by":"stint"}]})");
  EXPECT_EQ(encode_model(models(1).front(), DialectId::openai),
            R"({"id":"m0","object":"model","created":1700000000,"owned_by":"stint"})");
}

}  // namespace
}  // namespace stint::api
