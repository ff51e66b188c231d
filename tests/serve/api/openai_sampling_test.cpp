#include "serve/api/openai_sampling.h"

#include <gtest/gtest.h>

#include "tests/serve/api/wire_fixture.h"

namespace stint::api {
namespace {

Result<chat::Request> decode(std::string_view field) {
  return decode_openai_body(Endpoint::completions, fmt::format(R"({{"model":"m","prompt":"p",{}}})", field));
}

TEST(OpenaiSampling, errors_name_field_and_range) {
  struct Case {
    std::string_view field;
    std::string_view message;
  };
  for (const Case& c : {
           Case{R"("temperature":2.5)", "temperature: must be a number from 0 to 2."},
           Case{R"("top_p":1.1)", "top_p: must be a number from 0 to 1."},
           Case{R"("min_p":-1)", "min_p: must be a number from 0 to 1."},
           Case{R"("top_k":-2)", "top_k: must be an integer from 0 to 4294967295."},
           Case{R"("repetition_penalty":0)", "repetition_penalty: must be a number from 0.01 to 10."},
           Case{R"("frequency_penalty":2.1)", "frequency_penalty: must be a number from -2 to 2."},
           Case{R"("presence_penalty":-2.1)", "presence_penalty: must be a number from -2 to 2."},
           Case{R"("seed":"x")", "seed: expected an integer, got a string."},
           Case{R"("logit_bias":[])", "logit_bias: expected an object, got an array."},
           Case{R"("logit_bias":{"a":1})", "logit_bias.a: the key must be a token id."},
           Case{R"("logit_bias":{"5":101})", "logit_bias.5: must be a number from -100 to 100."},
           Case{R"("stop":7)", "stop: expected an array, got a number."},
           Case{R"("stop":[""])", "stop.0: must be a string of 1 to 1024 bytes."},
           Case{R"("stream":"true")", "stream: expected a boolean, got a string."},
           Case{R"("stream_options":true)", "stream_options: expected an object, got a boolean."},
           Case{R"("stream_options":{"include_usage":1})",
                "stream_options.include_usage: expected a boolean, got a number."},
           Case{R"("n":0)", "n: must be an integer from 1 to 128."},
           Case{R"("n":129)", "n: must be an integer from 1 to 128."},
           Case{R"("user":1)", "user: expected a string, got a number."},
       }) {
    const auto decoded = decode(c.field);
    ASSERT_FALSE(decoded) << c.field;
    EXPECT_EQ(decoded.error().message, c.message);
  }
}

TEST(OpenaiSampling, null_is_absent_everywhere) {
  const auto decoded =
      decode(R"("temperature":null,"top_p":null,"seed":null,"logit_bias":null,"stop":null,"stream":null,)"
             R"("stream_options":null,)"
             R"("n":null,"user":null,"top_k":null)");
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_FALSE(decoded->sampling.temperature);
  EXPECT_EQ(decoded->choice_count, 1U);
}

TEST(OpenaiSampling, takes_what_local_servers_have_added) {
  const auto decoded = decode(R"("top_k":40,"min_p":0.05,"repetition_penalty":1.1,"safety_identifier":"s")");
  EXPECT_EQ(decoded->sampling.top_k, 40U);
  EXPECT_EQ(decoded->sampling.min_p, 0.05F);
  EXPECT_EQ(decoded->sampling.repetition_penalty, 1.1F);
  EXPECT_EQ(decoded->end_user, "s");
  EXPECT_FALSE(decode(R"("top_k":-1)")->sampling.top_k);
}

TEST(OpenaiSampling, bounds_the_number_of_biased_tokens) {
  std::string bias = R"("logit_bias":{)";
  for (std::size_t i = 0; i <= kLogitBiasCountMax; ++i) bias += fmt::format(R"("{}":1,)", i);
  bias.back() = '}';
  EXPECT_EQ(decode(bias).error().message, "logit_bias: holds more than 1024 tokens; send fewer.");
}

}  // namespace
}  // namespace stint::api
