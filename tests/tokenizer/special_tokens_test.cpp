#include "tokenizer/special_tokens.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/tokenizer/small_vocabulary.h"

namespace stint::tokenizer {
namespace {

class Specials {
 public:
  explicit Specials(const std::vector<std::pair<std::string, TokenType>>& specials)
      : tokens_(TokenTable::build(byte_vocabulary({}, specials)).value()), found_(tokens_) {}

  // "token@begin", or "-@plain_end" where none is found.
  std::string find(std::string_view text, Trust trust, bool at_end = true, std::size_t from = 0) const {
    const SpecialTokens::Search search = found_.find(text, from, trust, at_end);
    if (!search.match) return fmt::format("-@{}", search.plain_end);
    EXPECT_EQ(search.match->begin, search.plain_end);
    EXPECT_EQ(text.substr(search.match->begin, search.match->end - search.match->begin),
              tokens_.text(search.match->token));
    return fmt::format("{}@{}", tokens_.text(search.match->token), search.match->begin);
  }

 private:
  TokenTable tokens_;
  SpecialTokens found_;
};

const std::vector<std::pair<std::string, TokenType>> kMixed = {{"<|a|>", TokenType::control},
                                                               {"<|a|>b", TokenType::control},
                                                               {"<|", TokenType::user_defined},
                                                               {"xyz", TokenType::user_defined}};

TEST(SpecialTokens, the_leftmost_and_there_the_longest_matches) {
  const Specials specials(kMixed);
  EXPECT_EQ(specials.find("..<|a|>b", Trust::trusted), "<|a|>b@2");
  EXPECT_EQ(specials.find("..<|a|>c", Trust::trusted), "<|a|>@2");
  EXPECT_EQ(specials.find("..<|a|", Trust::trusted), "<|@2");
  EXPECT_EQ(specials.find("..<xyz", Trust::trusted), "xyz@3");
  EXPECT_EQ(specials.find("<|a|>..xyz", Trust::trusted, true, 1), "xyz@7");
  EXPECT_EQ(specials.find("nothing", Trust::trusted), "-@7");
}

TEST(SpecialTokens, control_tokens_are_invisible_in_user_text) {
  const Specials specials(kMixed);
  EXPECT_EQ(specials.find("..<|a|>b", Trust::user), "<|@2");
  EXPECT_EQ(specials.find("..xyz", Trust::user), "xyz@2");
  EXPECT_EQ(Specials({{"<s>", TokenType::control}}).find("<s>", Trust::user), "-@3");
}

TEST(SpecialTokens, what_more_text_could_complete_is_left_open) {
  const Specials specials(kMixed);
  EXPECT_EQ(specials.find("..x", Trust::user, false), "-@2");
  EXPECT_EQ(specials.find("..<|a|>", Trust::trusted, false), "-@2");
  EXPECT_EQ(specials.find("..<|a|>", Trust::user, false), "<|@2");  // nothing longer for users
  EXPECT_EQ(specials.find("..<|a|>c", Trust::trusted, false), "<|a|>@2");
  EXPECT_EQ(specials.find("..xy!", Trust::user, false), "-@5");
}

TEST(SpecialTokens, empty_and_broken_spellings_never_match) {
  EXPECT_EQ(Specials({{"\xE3\x81", TokenType::user_defined}}).find("\xE3\x81", Trust::trusted), "-@2");
  EXPECT_EQ(Specials({}).find("abc", Trust::trusted), "-@3");
}

}  // namespace
}  // namespace stint::tokenizer
