#include "platform/net/chunk_decoder.h"

#include <gtest/gtest.h>

namespace stint::net {
namespace {

using Outcome = ChunkDecoder::Outcome;

// The body and how decoding ended, feeding `step` bytes at a time.
std::pair<std::string, Outcome> decode(std::string_view text, std::size_t step) {
  ChunkDecoder decoder;
  std::string body;
  Outcome outcome = Outcome::need_input;
  while (!text.empty() && outcome == Outcome::need_input) {
    std::string_view input = text.substr(0, step);
    text.remove_prefix(input.size());
    std::string_view data;
    while ((outcome = decoder.next(input, data)) == Outcome::data) body += data;
  }
  return {body, outcome};
}

void expect(std::string_view text, Outcome outcome, std::string_view body = "") {
  for (const std::size_t step : {std::size_t{1}, std::size_t{2}, std::size_t{3}, text.size()}) {
    const auto [decoded, ended] = decode(text, step);
    EXPECT_EQ(ended, outcome) << testing::PrintToString(text) << " by " << step;
    if (outcome == Outcome::end) EXPECT_EQ(decoded, body);
  }
}

TEST(ChunkDecoder, joins_chunks_and_drops_extensions_and_trailers) {
  expect("5\r\nhello\r\n0\r\n\r\n", Outcome::end, "hello");
  expect("0a;x=y\r\n0123456789\r\nB;\"q\"\r\nabcdefghijk\r\n000\r\nTrailer: x\r\nT: \r\n\r\n", Outcome::end,
         "0123456789abcdefghijk");
  expect("5\r\nhello\r\n", Outcome::need_input);
}

TEST(ChunkDecoder, leaves_the_next_message_in_the_input) {
  ChunkDecoder decoder;
  std::string_view input = "0\r\n\r\nGET /";
  std::string_view data;
  EXPECT_EQ(decoder.next(input, data), Outcome::end);
  EXPECT_EQ(input, "GET /");
  EXPECT_EQ(decoder.next(input, data), Outcome::end);
}

TEST(ChunkDecoder, refuses_everything_else) {
  for (const std::string_view text : {
           "\r\n",
           " 5\r\nhello\r\n",
           "5 \r\nhello\r\n",
           "5\nhello\r\n",
           "5\r\r\nhello",
           "-5\r\n",
           "+5\r\n",
           "0x5\r\n",
           "5\r\nhello5\r\n",
           "5\r\nhello\n",
           "5\r\nhello\r0",
           "5;a\nb\r\n",
           "5;a\rb",
           ";\r\n",
           "0000000000000000\r\n",
           "fffffffffffffffff\r\n",
           "0\r\nbroken\r\n",
           "0\r\n folded: x\r\n",
           "0\r\na: b\n",
           "0\r\na: b\rc: d\r\n",
       }) {
    expect(text, Outcome::malformed);
  }
}

TEST(ChunkDecoder, bounds_extensions_and_trailers_of_the_whole_message) {
  std::string text;
  const std::string extension(1000, 'x');
  for (int i = 0; i < 16; ++i) text += "1;" + extension + "\r\na\r\n";
  EXPECT_EQ(decode(text, 4096).second, Outcome::need_input);
  EXPECT_EQ(decode(text + "1;" + extension + "\r\n", 4096).second, Outcome::malformed);
  EXPECT_EQ(decode("0\r\na: " + std::string(ChunkDecoder::kTrailerSizeMax, 'b'), 4096).second, Outcome::malformed);
}

}  // namespace
}  // namespace stint::net
