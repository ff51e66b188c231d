#include "serve/api/anthropic_encode.h"

#include <gtest/gtest.h>

#include "tests/fakes/stream_checker.h"
#include "tests/serve/api/wire_fixture.h"

namespace stint::api {
namespace {

using chat::FinishReason;

chat::Request request(bool stream) {
  chat::Request made;
  made.dialect = chat::DialectId::anthropic;
  made.model = "claude-x";
  made.stream = stream;
  return made;
}

std::string check(const std::string& stream, bool may_fail = false) {
  return fakes::AnthropicStreamChecker().check(stream, may_fail);
}

TEST(AnthropicStream, has_the_providers_events) {
  const std::string stream = encode(request(true), {start(), delta("Hel"), delta("lo \"you\"\n"), finish()});
  EXPECT_EQ(check(stream), "");
  EXPECT_EQ(stream,
            R"(event: message_start
data: {"type":"message_start","message":{"id":"id_1","type":"message","role":"assistant",)"
            R"("model":"claude-x","content":[],"stop_reason":null,"stop_sequence":null,"stop_details":null,)"
            R"("usage":{"input_tokens":25,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,)"
            R"("cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},)"
            R"("output_tokens":0,"service_tier":"standard"}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: ping
data: {"type": "ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lo \"you\"\n"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null,)"
            R"("stop_details":null},"usage":{"input_tokens":11,"cache_creation_input_tokens":2,)"
            R"("cache_read_input_tokens":4409,"output_tokens":40}}

event: message_stop
data: {"type":"message_stop"}

)");
}

TEST(AnthropicStream, names_every_reason_to_stop) {
  for (const auto& [reason, name] : std::vector<std::pair<FinishReason, std::string_view>>{
           {FinishReason::stop, "end_turn"},
           {FinishReason::length, "max_tokens"},
           {FinishReason::tool_use, "tool_use"},
           {FinishReason::refusal, "refusal"},
           {FinishReason::context_window, "model_context_window_exceeded"}}) {
    const std::string stream = encode(request(true), {start(), finish(reason)});
    EXPECT_EQ(check(stream), "");
    EXPECT_TRUE(stream.contains(fmt::format(R"("stop_reason":"{}","stop_sequence":null)", name))) << name;
  }
  EXPECT_TRUE(encode(request(true), {start(), finish(FinishReason::stop_string, "\n\nEND")})
                  .contains(R"("stop_reason":"stop_sequence","stop_sequence":"\n\nEND")"));
}

TEST(AnthropicStream, an_empty_answer_has_no_block) {
  const std::string stream = encode(request(true), {start(), finish()});
  EXPECT_EQ(check(stream), "");
  EXPECT_FALSE(stream.contains("content_block"));
}

TEST(AnthropicStream, pings_stand_anywhere) {
  const chat::Event ping{.kind = chat::Event::Kind::ping};
  EXPECT_EQ(check(encode(request(true), {ping, start(), ping, delta("a"), ping, finish()})), "");
}

TEST(AnthropicStream, an_error_ends_it_without_message_stop) {
  const std::string stream =
      encode(request(true), {start(), delta("a"), failure(base::ErrorKind::overloaded, "Full.")});
  EXPECT_EQ(check(stream, true), "");
  EXPECT_TRUE(
      stream.ends_with("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
                       "\"message\":\"Full.\"}}\n\n"))
      << stream;
  EXPECT_FALSE(stream.contains("message_stop"));
}

TEST(AnthropicStream, passes_raw_bytes_of_its_own_dialect) {
  chat::Event raw = delta("ignored");
  raw.dialect = chat::DialectId::anthropic;
  raw.raw = "event: content_block_delta\ndata: {\"x\":1} \n\n";
  EXPECT_EQ(encode(request(true), {raw}), raw.raw);
  raw.dialect = chat::DialectId::openai;
  EXPECT_TRUE(encode(request(true), {raw}).contains("ignored"));
}

TEST(AnthropicBody, has_the_providers_keys_in_their_order) {
  EXPECT_EQ(encode(request(false), {start(), delta("Hel"), delta("lo"), finish(FinishReason::stop_string, "X")}),
            R"({"model":"claude-x","id":"id_1","type":"message","role":"assistant",)"
            R"("content":[{"type":"text","text":"Hello"}],)"
            R"("stop_reason":"stop_sequence","stop_sequence":"X","stop_details":null,"usage":{"input_tokens":11,)"
            R"("cache_creation_input_tokens":2,"cache_read_input_tokens":4409,)"
            R"("cache_creation":{"ephemeral_5m_input_tokens":2,)"
            R"("ephemeral_1h_input_tokens":0},"output_tokens":40,"service_tier":"standard"}})");
}

TEST(AnthropicBody, a_prewarm_has_no_content) {
  EXPECT_TRUE(encode(request(false), {start(), finish(FinishReason::length)})
                  .contains(R"("content":[],"stop_reason":"max_tokens")"));
}

TEST(AnthropicBody, an_error_appends_nothing_because_the_status_can_still_be_sent) {
  EXPECT_EQ(encode(request(false), {start(), delta("a"), failure(base::ErrorKind::internal, "Oh.")}), "");
}

TEST(AnthropicEncoder, content_types_and_keep_alives) {
  std::string out;
  const auto stream = make_anthropic_encoder(request(true), {});
  EXPECT_EQ(stream->content_type(), "text/event-stream");
  stream->keep_alive(out);
  EXPECT_EQ(out, "event: ping\ndata: {\"type\": \"ping\"}\n\n");
  out.clear();
  const auto body = make_anthropic_encoder(request(false), {});
  EXPECT_EQ(body->content_type(), "application/json");
  body->keep_alive(out);
  EXPECT_EQ(out, "");
}

TEST(TokenCount, is_one_number) {
  EXPECT_EQ(encode_token_count(728), R"({"input_tokens":728})");
}

}  // namespace
}  // namespace stint::api
