#include "platform/crypto/base64.h"

#include <gtest/gtest.h>

#include "platform/base/random.h"

namespace stint::crypto {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string decoded(std::string_view text) {
  const auto bytes = base64_decode(text);
  return bytes ? std::string(bytes->begin(), bytes->end()) : "error: " + bytes.error().message;
}

// RFC 4648 section 10.
TEST(Base64, standard_examples_both_ways) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
  };
  for (const auto& [plain, text] : cases) {
    EXPECT_EQ(base64_encode(bytes_of(plain)), text);
    EXPECT_EQ(decoded(text), plain);
  }
  EXPECT_EQ(base64_encode(bytes_of("\xfb\xff\xfe")), "+//+");
}

TEST(Base64, random_bytes_come_back) {
  base::Random random(3);
  for (std::size_t size = 0; size < 200; ++size) {
    std::vector<std::uint8_t> bytes(size);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
    const auto back = base64_decode(base64_encode(bytes));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, bytes);
  }
}

TEST(Base64, decoding_is_strict) {
  for (const std::string_view text :
       {"Zg", "Zg=", "Zg==Zg==", "Z===", "====", "Zm9v\n", "Zm 9", "Zm9-", "=Zg=", "Zm=v"}) {
    EXPECT_FALSE(base64_decode(text)) << text;
  }
  EXPECT_FALSE(base64_decode("Zh==")) << "stray bits: only Zg== stands for f";
  EXPECT_FALSE(base64_decode("Zm9=")) << "stray bits: only Zm8= stands for fo";
}

TEST(Base64, errors_name_the_offset) {
  EXPECT_EQ(base64_decode("Zm9vY!==").error().message, "base64 text has a foreign letter at offset 5");
}

}  // namespace
}  // namespace stint::crypto
