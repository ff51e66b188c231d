#include "platform/json/unescape.h"

#include <gtest/gtest.h>

namespace stint::json {
namespace {

TEST(Unescape, undoes_every_escape) {
  EXPECT_EQ(unescape(R"(a\"b\\c\/d\be\ff\ng\rh\ti)"), "a\"b\\c/d\be\ff\ng\rh\ti");
  EXPECT_EQ(unescape(R"(\u0041\u00e9\u20AC)"), "A\xC3\xA9\xE2\x82\xAC");
  EXPECT_EQ(unescape(R"(\u0000)"), std::string(1, '\0'));
}

TEST(Unescape, joins_surrogate_pairs) {
  EXPECT_EQ(unescape(R"(\ud83d\uDE42)"), "\xF0\x9F\x99\x82");
}

TEST(Unescape, replaces_surrogates_without_partner) {
  EXPECT_EQ(unescape(R"(\ud83d)"), "\xEF\xBF\xBD");
  EXPECT_EQ(unescape(R"(\ude42x)"), "\xEF\xBF\xBDx");
  EXPECT_EQ(unescape(R"(\ud83d\n)"), "\xEF\xBF\xBD\n");
  EXPECT_EQ(unescape(R"(\ud83d\u0041)"),
            "\xEF\xBF\xBD"
            "A");
  EXPECT_EQ(unescape(R"(\ud83d\ud83d\ude42)"), "\xEF\xBF\xBD\xF0\x9F\x99\x82");
}

}  // namespace
}  // namespace stint::json
