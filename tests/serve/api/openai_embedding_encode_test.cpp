#include "serve/api/openai_embedding_encode.h"

#include <gtest/gtest.h>

#include "tests/serve/api/wire_fixture.h"

namespace stint::api {
namespace {

chat::Request request(bool as_base64) {
  chat::Request made;
  made.kind = chat::CallKind::embed;
  made.dialect = chat::DialectId::openai;
  made.model = "emb";
  made.embedding_base64 = as_base64;
  return made;
}

std::vector<chat::Event> events() {
  return {start(),
          {.kind = chat::Event::Kind::embedding, .index = 0, .embedding = {1.0F, -2.0F}},
          {.kind = chat::Event::Kind::embedding, .index = 1, .embedding = {0.1F}},
          {.kind = chat::Event::Kind::finish, .usage = {.input_tokens = 7, .cache_read_tokens = 1}}};
}

TEST(OpenaiEmbedding, writes_floats_that_read_back) {
  EXPECT_EQ(encode(request(false), events()),
            R"({"object":"list","data":[{"object":"embedding","index":0,"embedding":[1,-2]},)"
            R"({"object":"embedding","index":1,"embedding":[0.1]}],"model":"emb",)"
            R"("usage":{"prompt_tokens":8,"total_tokens":8}})");
}

TEST(OpenaiEmbedding, writes_base64_of_little_endian_floats) {
  EXPECT_TRUE(encode(request(true), events()).contains(R"("index":0,"embedding":"AACAPwAAAMA="})"));
}

TEST(OpenaiEmbedding, passes_a_raw_body) {
  chat::Event raw{.kind = chat::Event::Kind::finish};
  raw.dialect = chat::DialectId::openai;
  raw.raw = "{\"data\": []}";
  EXPECT_EQ(encode(request(false), {start(), raw}), raw.raw);
}

}  // namespace
}  // namespace stint::api
