#include "platform/crypto/random_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "platform/base/random.h"

namespace stint::crypto {
namespace {

class CountingSource final : public RandomSource {
 public:
  void fill(std::span<std::uint8_t> bytes) override {
    for (std::uint8_t& byte : bytes) byte = next_++;
  }

 private:
  std::uint8_t next_ = 240;
};

class SeededSource final : public RandomSource {
 public:
  void fill(std::span<std::uint8_t> bytes) override {
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random_.below(256));
  }

 private:
  base::Random random_{5};
};

TEST(RandomId, has_prefix_and_length_and_only_letters_and_digits) {
  SystemRandom source;
  const std::string id = random_id(source, "req_");
  ASSERT_EQ(id.size(), 28u);
  EXPECT_TRUE(id.starts_with("req_"));
  EXPECT_TRUE(std::all_of(id.begin() + 4, id.end(), [](unsigned char c) { return std::isalnum(c) != 0; })) << id;
  EXPECT_EQ(random_id(source, "", 0), "");
  EXPECT_EQ(random_id(source, "x", 500).size(), 501u);
}

TEST(RandomId, skips_bytes_that_would_favour_some_letters) {
  CountingSource source;  // 240..247 are fair, 248..255 are drawn again, then 0, 1, 2
  EXPECT_EQ(random_id(source, "", 11), "stuvwxyz012");
}

TEST(RandomId, every_letter_is_equally_likely) {
  SeededSource source;
  std::map<char, int> counts;
  for (const char letter : random_id(source, "", 62'000)) ++counts[letter];
  ASSERT_EQ(counts.size(), 62u);
  for (const auto& [letter, count] : counts) EXPECT_NEAR(count, 1000, 150) << letter;
}

TEST(RandomId, the_same_source_state_gives_the_same_id) {
  SeededSource a;
  SeededSource b;
  EXPECT_EQ(random_id(a, "msg_"), random_id(b, "msg_"));
}

TEST(SystemRandom, fills_every_byte_and_never_repeats_itself) {
  SystemRandom source;
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random_id(source, "", 24));
  EXPECT_EQ(seen.size(), 1000u);

  std::array<std::uint8_t, 64> touched{};
  for (int round = 0; round < 16; ++round) {
    std::array<std::uint8_t, 64> bytes{};
    source.fill(bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) touched[i] |= bytes[i];
  }
  EXPECT_EQ(std::count(touched.begin(), touched.end(), 0), 0);
  source.fill({});
}

}  // namespace
}  // namespace stint::crypto
