#include "tokenizer/safe_boundary.h"

#include <gtest/gtest.h>

#include "tests/tokenizer/small_vocabulary.h"

namespace stint::tokenizer {
namespace {

std::vector<std::string> pieces(const std::vector<std::string>& vocabulary, std::string_view text) {
  const TokenTable tokens = TokenTable::build(sentencepiece_vocabulary(vocabulary)).value();
  const SafeBoundary boundary(tokens);
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = boundary.piece_end(text, begin);
    result.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return result;
}

using Pieces = std::vector<std::string>;

TEST(SafeBoundary, cuts_between_characters_that_meet_in_no_token) {
  EXPECT_EQ(pieces({"▁ab", "▁▁", "日本"}, "ab  ab日本日"), (Pieces{"ab", "  ab", "日本", "日"}));
  EXPECT_EQ(pieces({"a", "b"}, "aab"), (Pieces{"a", "a", "b"}));
}

TEST(SafeBoundary, invalid_bytes_stand_alone) {
  EXPECT_EQ(pieces({"ab"},
                   "a\xFF\xFF"
                   "b"),
            (Pieces{"a", "\xFF", "\xFF", "b"}));
}

}  // namespace
}  // namespace stint::tokenizer
