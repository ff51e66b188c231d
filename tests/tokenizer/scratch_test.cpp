#include "tokenizer/scratch.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <vector>

#include "tests/tokenizer/small_vocabulary.h"

namespace stint::tokenizer {
namespace {

TEST(ScratchPool, lends_what_was_given_back) {
  ScratchPool pool;
  const Scratch* first = nullptr;
  {
    ScratchPool::Lease lease = pool.lease();
    first = &*lease;
  }
  EXPECT_EQ(&*pool.lease(), first);
}

TEST(ScratchPool, does_not_keep_what_has_grown_large) {
  ScratchPool pool;
  pool.lease()->prepared = std::string(2 * kScratchSizeMax, 'a');
  EXPECT_EQ(pool.lease()->prepared.size(), 0u);
}

TEST(ScratchPool, never_lends_the_same_twice) {
  ScratchPool pool;
  ScratchPool::Lease a = pool.lease();
  ScratchPool::Lease b = pool.lease();
  EXPECT_NE(&*a, &*b);
}

TEST(ScratchPool, threads_share_a_tokenizer) {
  const auto tokenizer = Tokenizer::build(byte_vocabulary({{"a", "b"}, {"ab", "ab"}})).value();
  const std::string text = "ab abab aab bba abba";
  const std::vector<TokenId> expected = tokenizer->encode(text, Trust::user);
  std::vector<int> wrong_counts(6);
  std::vector<std::thread> threads;
  for (int& wrong_count : wrong_counts) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) wrong_count += tokenizer->encode(text, Trust::user) != expected;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong_counts, std::vector<int>(6));
}

}  // namespace
}  // namespace stint::tokenizer
