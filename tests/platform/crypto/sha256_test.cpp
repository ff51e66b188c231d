#include "platform/crypto/sha256.h"

#include <gtest/gtest.h>

namespace stint::crypto {
namespace {

// FIPS 180-4 examples.
constexpr std::string_view kEmpty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr std::string_view kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr std::string_view kTwoBlocks = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";

TEST(Sha256, standard_examples) {
  EXPECT_EQ(to_hex(sha256("")), kEmpty);
  EXPECT_EQ(to_hex(sha256("abc")), kAbc);
  EXPECT_EQ(to_hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")), kTwoBlocks);
}

TEST(Sha256, pieces_give_the_same_digest_as_the_whole) {
  const std::string text(10'000, 'x');
  Sha256 hash;
  for (std::size_t at = 0; at < text.size(); at += 333) hash.update(std::string_view(text).substr(at, 333));
  EXPECT_EQ(hash.finish(), sha256(text));
}

TEST(Sha256, finish_starts_over) {
  Sha256 hash;
  hash.update("something else");
  (void)hash.finish();
  hash.update("abc");
  EXPECT_EQ(to_hex(hash.finish()), kAbc);
  EXPECT_EQ(to_hex(hash.finish()), kEmpty);
}

TEST(Sha256, moves) {
  Sha256 first;
  first.update("ab");
  Sha256 second = std::move(first);
  second.update("c");
  EXPECT_EQ(to_hex(second.finish()), kAbc);
}

TEST(ToHex, two_lower_case_digits_a_byte) {
  EXPECT_EQ(to_hex(std::array<std::uint8_t, 4>{0x00, 0x0f, 0xa0, 0xff}), "000fa0ff");
  EXPECT_EQ(to_hex({}), "");
}

}  // namespace
}  // namespace stint::crypto
