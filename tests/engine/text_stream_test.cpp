#include "engine/text_stream.h"

#include <gtest/gtest.h>

#include "platform/base/random.h"
#include "platform/base/utf8.h"
#include "tests/engine/letter_vocabulary.h"

namespace stint::engine {
namespace {

class TextStreamTest : public testing::Test {
 protected:
  static OutputToken token(TokenId id) {
    OutputToken out;
    out.token = id;
    return out;
  }

  static std::vector<TokenId> ids(const Output& output) {
    std::vector<TokenId> out;
    for (const OutputToken& each : output.tokens) out.push_back(each.token);
    return out;
  }

  std::unique_ptr<const tokenizer::Tokenizer> tokenizer_ = letter_tokenizer();
};

TEST_F(TextStreamTest, gives_out_each_token_with_its_text) {
  TextStream stream(*tokenizer_, {});
  Output out;
  stream.append(token(letter('h')), out);
  EXPECT_EQ(out.text, "h");
  EXPECT_EQ(ids(out), (std::vector<TokenId>{letter('h')}));
  stream.append(token(letter('i')), out);
  EXPECT_EQ(out.text, "hi");
}

TEST_F(TextStreamTest, an_incomplete_character_waits) {
  TextStream stream(*tokenizer_, {});
  Output out;
  stream.append(token(kSun), out);
  stream.append(token(kSun + 1), out);
  EXPECT_EQ(out.text, "");
  stream.append(token(kSun + 2), out);
  EXPECT_EQ(out.text, "日");
  EXPECT_EQ(out.tokens.size(), 3U);
}

TEST_F(TextStreamTest, an_incomplete_character_at_the_end_becomes_a_replacement) {
  TextStream stream(*tokenizer_, {});
  Output out;
  stream.append(token(kSun), out);
  stream.finish(out);
  EXPECT_EQ(out.text, "\uFFFD");
}

TEST_F(TextStreamTest, invalid_bytes_become_replacements_and_the_rest_stays) {
  TextStream stream(*tokenizer_, {});
  Output out;
  for (const TokenId id : {kSun + 2, letter('a'), kSun, letter('b')}) stream.append(token(id), out);
  stream.finish(out);
  EXPECT_EQ(out.text, "\uFFFDa\uFFFDb");
}

TEST_F(TextStreamTest, control_tokens_have_no_text) {
  TextStream stream(*tokenizer_, {});
  Output out;
  for (const TokenId id : {letter('a'), kMark, kEnd, letter('b')}) stream.append(token(id), out);
  EXPECT_EQ(out.text, "ab");
  EXPECT_EQ(out.tokens.size(), 4U);
}

TEST_F(TextStreamTest, tokens_wait_as_long_as_their_text) {
  const std::vector<std::string> stops{"the end"};
  TextStream stream(*tokenizer_, stops);
  Output out;
  stream.append(token(letter('a')), out);
  stream.append(token(42), out);  // "the"
  stream.append(token(kSpace), out);
  EXPECT_EQ(out.text, "a");
  EXPECT_EQ(ids(out), (std::vector<TokenId>{letter('a')}));
  stream.append(token(letter('x')), out);
  EXPECT_EQ(out.text, "athe x");
  EXPECT_EQ(out.tokens.size(), 4U);
}

TEST_F(TextStreamTest, a_stop_string_across_tokens_takes_its_tokens_along) {
  const std::vector<std::string> stops{"zz", "he q"};
  TextStream stream(*tokenizer_, stops);
  Output out;
  EXPECT_FALSE(stream.append(token(letter('a')), out));
  EXPECT_FALSE(stream.append(token(42), out));  // "the", of which "t" is shown
  EXPECT_FALSE(stream.append(token(kSpace), out));
  EXPECT_EQ(stream.append(token(49), out), 1U);  // "qu"
  EXPECT_EQ(out.text, "at");
  EXPECT_EQ(ids(out), (std::vector<TokenId>{letter('a'), 42}));
}

TEST_F(TextStreamTest, a_stop_string_that_begins_the_answer_leaves_nothing) {
  const std::vector<std::string> stops{"a"};
  TextStream stream(*tokenizer_, stops);
  Output out;
  EXPECT_EQ(stream.append(token(letter('a')), out), 0U);
  EXPECT_EQ(out.text, "");
  EXPECT_TRUE(out.tokens.empty());
}

TEST_F(TextStreamTest, every_prefix_of_any_answer_is_valid_text_and_free_of_stop_strings) {
  base::Random random(77);
  const std::vector<std::string> stops{"日本", "ab", "the of"};
  for (int round = 0; round < 2000; ++round) {
    TextStream stream(*tokenizer_, stops);
    Output out;
    std::vector<TokenId> sampled;
    std::optional<std::size_t> stop;
    for (int i = 0; i < 30 && !stop; ++i) {
      constexpr std::array<TokenId, 9> kChoices{0, 1, 2, 3, 39, 40, 41, 42, 44};
      sampled.push_back(kChoices[random.below(kChoices.size())]);
      stop = stream.append(token(sampled.back()), out);
      ASSERT_EQ(base::utf8_valid_size(out.text), out.text.size());
    }
    if (!stop) stream.finish(out);
    std::vector<TokenId> shown;
    for (const TokenId id : sampled)
      if (id != kEnd) shown.push_back(id);
    const std::string whole = tokenizer_->decode(shown);
    EXPECT_EQ(whole.substr(0, out.text.size()), out.text);
    if (!stop) EXPECT_EQ(out.text, whole);
    for (const std::string& each : stops) EXPECT_EQ(out.text.find(each), std::string::npos);
  }
}

}  // namespace
}  // namespace stint::engine
