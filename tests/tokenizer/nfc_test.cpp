#include "tokenizer/nfc.h"

#include <gtest/gtest.h>

namespace stint::tokenizer {
namespace {

std::string nfc(std::string_view text) {
  std::string out;
  append_nfc(text, out);
  return out;
}

// Expected values: Python's unicodedata.normalize("NFC", ...).
TEST(Nfc, composes_and_orders_marks) {
  EXPECT_EQ(nfc("e\u0301"), "\u00E9");
  EXPECT_EQ(nfc("a\u0301b\u0301"), "\u00E1b\u0301");
  EXPECT_EQ(nfc("q\u0307\u0323"), "q\u0323\u0307");
  EXPECT_EQ(nfc("\u1E9B\u0323"), "\u1E9B\u0323");
  EXPECT_EQ(nfc("\u1112\u1161\u11AB"), "\uD55C");
  EXPECT_EQ(nfc("\uAC00\u11A8"), "\uAC01");
  EXPECT_EQ(nfc("\u212B\u2126"), "\u00C5\u03A9");
  EXPECT_EQ(nfc("\u30AB\u3099"), "\u30AC");
  EXPECT_EQ(nfc("\u0301e"), "\u0301e");
}

TEST(Nfc, leaves_invalid_bytes_alone) {
  EXPECT_EQ(nfc("\xFF\u0301"), "\xFF\u0301");
  EXPECT_EQ(nfc("e\xE3\x81"), "e\xE3\x81");
  EXPECT_EQ(nfc("e\u0301\xC3"), "\u00E9\xC3");
}

TEST(Nfc, knows_text_that_needs_nothing) {
  EXPECT_TRUE(is_nfc_safe("plain \u00E9 \u02FF 日本 😀 \xFF"));
  EXPECT_FALSE(is_nfc_safe("e\u0301"));
  EXPECT_FALSE(is_nfc_safe("\u1161"));
  EXPECT_FALSE(is_nfc_safe("\u212B"));
}

TEST(Nfc, stable_part_ends_before_the_last_starter) {
  EXPECT_EQ(nfc_stable_size("abc"), 2u);
  EXPECT_EQ(nfc_stable_size("abe\u0301\u0323"), 2u);
  EXPECT_EQ(nfc_stable_size("\u0301\u0323"), 0u);
  EXPECT_EQ(nfc_stable_size(""), 0u);
}

TEST(Nfc, stable_part_and_rest_normalize_apart) {
  const std::string text = "e\u0301\u1112\u1161\u11ABq\u0307\u0323x\uAC00\u11A8\u30AB\u3099!";
  const std::string whole = nfc(text);
  for (std::size_t end = 0; end <= text.size(); ++end) {
    const std::size_t cut = nfc_stable_size(std::string_view(text).substr(0, end));
    EXPECT_EQ(nfc(text.substr(0, cut)) + nfc(text.substr(cut)), whole) << end;
  }
}

// An exchange sort needs 10^10 steps here.
TEST(Nfc, long_runs_of_marks_are_sorted_quickly) {
  std::string text = "a";
  for (int i = 0; i < 100'000; ++i) text += i % 2 == 0 ? "\u0301" : "\u0323";
  EXPECT_EQ(nfc(text).substr(0, 3), "\u1EA1");
}

}  // namespace
}  // namespace stint::tokenizer
