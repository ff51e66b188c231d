#include "serve/api/openai_inputs.h"

#include <gtest/gtest.h>

#include "tests/serve/api/wire_fixture.h"

namespace stint::api {
namespace {

Result<chat::Request> decode(std::string_view input) {
  return decode_openai_body(Endpoint::embeddings, fmt::format(R"({{"model":"m","input":{}}})", input));
}

TEST(OpenaiInputs, take_all_four_shapes) {
  EXPECT_EQ(decode(R"("a\n")")->prompts, (std::vector<std::string_view>{"a\n"}));
  EXPECT_EQ(decode(R"(["a","b"])")->prompts, (std::vector<std::string_view>{"a", "b"}));
  EXPECT_EQ(decode("[1,4294967295]")->prompt_tokens, (std::vector<std::vector<std::uint32_t>>{{1, 4294967295}}));
  EXPECT_EQ(decode("[[1],[2,3]]")->prompt_tokens, (std::vector<std::vector<std::uint32_t>>{{1}, {2, 3}}));
}

TEST(OpenaiInputs, errors_name_the_path) {
  struct Case {
    std::string_view input;
    std::string_view message;
  };
  for (const Case& c : {
           Case{"7", "input: must be a string, an array of strings, or token ids."},
           Case{"null", "input: must be a string, an array of strings, or token ids."},
           Case{"[]", "input: must not be empty."},
           Case{R"("")", "input: must not be empty."},
           Case{R"(["a",""])", "input.1: must not be empty."},
           Case{R"(["a",1])", "input.1: expected a string, got a number."},
           Case{R"([1,"a"])", "input.1: expected an integer, got a string."},
           Case{"[-1]", "input.0: must be an integer from 0 to 4294967295."},
           Case{"[[1],[]]", "input.1: must not be empty."},
           Case{"[[1],2]", "input.1: expected an array, got a number."},
           Case{"[{}]", "input.0: expected a string, got an object."},
       }) {
    const auto decoded = decode(c.input);
    ASSERT_FALSE(decoded) << c.input;
    EXPECT_EQ(decoded.error().message, c.message);
  }
}

TEST(OpenaiInputs, prompts_may_be_empty_texts) {
  EXPECT_TRUE(decode_openai_body(Endpoint::completions, R"({"model":"m","prompt":""})"));
}

TEST(OpenaiInputs, are_bounded) {
  std::string many = "[";
  for (std::size_t i = 0; i <= kInputCountMax; ++i) many += R"("a",)";
  many.back() = ']';
  EXPECT_EQ(decode(many).error().message, "input: holds more than 2048 inputs; send several requests.");
}

}  // namespace
}  // namespace stint::api
