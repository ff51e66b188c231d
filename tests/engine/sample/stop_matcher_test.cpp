#include "engine/sample/stop_matcher.h"

#include <gtest/gtest.h>

#include "platform/base/random.h"

namespace stint::sample {
namespace {

struct Found {
  std::string text;
  std::optional<std::size_t> stop;
  bool operator==(const Found&) const = default;
};

// Gives the matcher `text` in parts whose sizes `next_size` chooses.
template <typename NextSize>
Found run(const std::vector<std::string>& stops, std::string_view text, NextSize next_size) {
  StopMatcher matcher(stops);
  Found found;
  while (!text.empty()) {
    const std::size_t size = std::min(text.size(), next_size());
    found.stop = matcher.append(text.substr(0, size), found.text);
    if (found.stop) return found;
    text.remove_prefix(size);
  }
  matcher.finish(found.text);
  return found;
}

// The definition: the first end at which some stop string stands, of several the longest, of equal ones the first
// given.
Found naive(const std::vector<std::string>& stops, std::string_view text) {
  for (std::size_t end = 1; end <= text.size(); ++end) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < stops.size(); ++i) {
      const bool here = text.substr(0, end).ends_with(stops[i]);
      if (here && (!best || stops[i].size() > stops[*best].size())) best = i;
    }
    if (best) return {std::string(text.substr(0, end - stops[*best].size())), best};
  }
  return {std::string(text), std::nullopt};
}

TEST(StopMatcher, without_stop_strings_everything_passes_at_once) {
  StopMatcher matcher({});
  std::string out;
  EXPECT_FALSE(matcher.append("abc", out));
  EXPECT_EQ(out, "abc");
}

TEST(StopMatcher, holds_back_only_what_may_still_begin_a_stop_string) {
  StopMatcher matcher(std::vector<std::string>{"</end>"});
  std::string out;
  EXPECT_FALSE(matcher.append("text </e", out));
  EXPECT_EQ(out, "text ");
  EXPECT_EQ(matcher.held_size(), 3U);
  EXPECT_FALSE(matcher.append("m> <", out));
  EXPECT_EQ(out, "text </em> ");
  EXPECT_EQ(matcher.append("/end> more", out), 0U);
  EXPECT_EQ(out, "text </em> ");
}

TEST(StopMatcher, what_was_held_back_at_the_end_is_text) {
  StopMatcher matcher(std::vector<std::string>{"\n\nUser:"});
  std::string out;
  EXPECT_FALSE(matcher.append("hi\n\nUse", out));
  EXPECT_EQ(out, "hi");
  matcher.finish(out);
  EXPECT_EQ(out, "hi\n\nUse");
}

TEST(StopMatcher, names_the_string_that_ended_first_and_of_those_the_longest) {
  const auto whole = [] { return std::size_t{100}; };
  EXPECT_EQ(run({"bcd", "abc", "c"}, "xabcd", whole), (Found{"x", 1}));
  EXPECT_EQ(run({"abcd", "bc"}, "xabcd", whole), (Found{"xa", 1}));
  EXPECT_EQ(run({"b", "b"}, "ab", whole), (Found{"a", 0}));
}

TEST(StopMatcher, finds_across_every_border_of_multi_byte_text) {
  const std::vector<std::string> stops{"日本", "\U0001F600!"};
  const std::string text = "さて日さ\U0001F600日本語";
  const Found expected = naive(stops, text);
  EXPECT_EQ(expected.text, "さて日さ\U0001F600");
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (std::size_t second = first; second <= text.size(); ++second) {
      std::size_t call = 0;
      const Found found = run(stops, text, [&] {
        ++call;
        return call == 1 ? std::max<std::size_t>(first, 1) : call == 2 ? std::max<std::size_t>(second - first, 1) : 100;
      });
      EXPECT_EQ(found, expected) << first << ' ' << second;
    }
  }
}

TEST(StopMatcher, equals_the_definition_on_random_texts_and_splits) {
  base::Random random(21);
  const auto word = [&](std::size_t size_max) {
    std::string text;
    for (std::size_t size = 1 + random.below(size_max); size > 0; --size)
      text.push_back(static_cast<char>('a' + random.below(2)));
    return text;
  };
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::string> stops;
    for (std::size_t count = 1 + random.below(4); count > 0; --count) stops.push_back(word(7));
    const std::string text = word(30);
    EXPECT_EQ(run(stops, text, [&] { return 1 + random.below(5); }), naive(stops, text));
  }
}

TEST(StopMatcher, is_linear_on_repetitive_text) {
  // Each stop string nearly matches at every position; a matcher that starts over would take 10^9 steps.
  std::vector<std::string> stops;
  for (char last = 'b'; last <= 'q'; ++last) stops.push_back(std::string(1023, 'a') + last);
  StopMatcher matcher(stops);
  std::string out;
  const std::string part(1000, 'a');
  for (int i = 0; i < 1000; ++i) ASSERT_FALSE(matcher.append(part, out));
  EXPECT_EQ(out.size(), 1'000'000U - 1023);
}

}  // namespace
}  // namespace stint::sample
