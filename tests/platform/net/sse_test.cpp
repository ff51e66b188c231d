#include "platform/net/sse.h"

#include <gtest/gtest.h>

#include "platform/base/random.h"

namespace stint::net {
namespace {

// "event|data|id" of each event, and the raw bytes of all blocks.
struct Decoded {
  std::vector<std::string> events;
  std::string raw;
  bool failed = false;
};

void take_events(SseReader& reader, Decoded& decoded) {
  for (;;) {
    const auto event = reader.next();
    decoded.failed = decoded.failed || !event;
    if (!event || !*event) return;
    decoded.raw += (*event)->raw;
    if ((*event)->has_data) {
      decoded.events.push_back(fmt::format("{}|{}|{}", (*event)->event, (*event)->data, (*event)->id));
    }
  }
}

Decoded decode(std::string_view bytes, std::size_t step, std::size_t event_size_max = kSseEventSizeMax) {
  SseReader reader(event_size_max);
  Decoded decoded;
  while (!bytes.empty() && !decoded.failed) {
    reader.feed(bytes.substr(0, step));
    bytes.remove_prefix(std::min(step, bytes.size()));
    take_events(reader, decoded);
  }
  if (decoded.failed) return decoded;
  reader.finish();
  take_events(reader, decoded);
  return decoded;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

constexpr std::string_view kStream =
    ": hello\n\nevent: message_start\ndata: {\"a\":\"北京🙂é\"}\n\nid: 7\ndata:no space\ndata:  two\ndata\n\n\n"
    "event: only named\n\nretry: 5\ndata: x: y\nunknown: z\n\n: comment\ndata: last";

const std::vector<std::string> kEvents = {"message_start|{\"a\":\"北京🙂é\"}|", "|no space\n two\n|7", "|x: y|",
                                          "|last|"};

TEST(SseReader, gives_the_same_events_for_every_line_end_and_every_cut) {
  for (const std::string_view line_end : {"\n", "\r\n", "\r"}) {
    const std::string bytes = replace_all(std::string(kStream), "\n", line_end);
    for (std::size_t step = 1; step <= bytes.size(); ++step) {
      const Decoded decoded = decode(bytes, step);
      ASSERT_EQ(decoded.events, kEvents) << "by " << step;
      ASSERT_EQ(decoded.raw, bytes);
    }
  }
}

TEST(SseReader, gives_an_event_with_its_last_byte) {
  for (const std::string_view bytes : {"data: a\n\n", "data: a\r\r", "data: a\r\n\r"}) {
    SseReader reader;
    reader.feed(bytes);
    const auto event = reader.next();
    ASSERT_TRUE(event && *event) << testing::PrintToString(bytes);
    EXPECT_EQ((*event)->data, "a");
  }
}

TEST(SseReader, drops_a_byte_order_mark_at_the_start_only) {
  for (const std::size_t step : {1u, 2u, 100u}) {
    EXPECT_EQ(decode("\xEF\xBB\xBF"
                     "data: a\n\ndata: \xEF\xBB\xBF\n\n",
                     step)
                  .events,
              (std::vector<std::string>{"|a|", "|\xEF\xBB\xBF|"}));
  }
}

TEST(SseReader, bounds_one_event_and_not_the_stream) {
  std::string bytes;
  for (int i = 0; i < 100; ++i) bytes += "data: 0123456789\n\n";
  EXPECT_EQ(decode(bytes, 1, 20).events.size(), 100u);
  EXPECT_EQ(decode(bytes, bytes.size(), 20).events.size(), 100u);
  for (const std::size_t step : {std::size_t{1}, std::size_t{1000}}) {
    EXPECT_TRUE(decode("data: 0123456789012345\n\n", step, 20).failed);
    EXPECT_TRUE(decode(std::string(100, ':'), step, 20).failed);
    EXPECT_TRUE(decode(std::string(100, '\n'), step, 20).failed);
  }
}

TEST(SseWriter, writes_what_the_reader_reads) {
  std::string out;
  append_sse_event(out, "message_stop", "{}");
  append_sse_event(out, "", "a\nb\r\nc\rd");
  append_sse_comment(out, "keep-alive");
  append_sse_event(out, "", "");
  EXPECT_EQ(out, "event: message_stop\ndata: {}\n\ndata: a\ndata: b\ndata: c\ndata: d\n\n: keep-alive\n\ndata: \n\n");
  EXPECT_EQ(decode(out, 5).events, (std::vector<std::string>{"message_stop|{}|", "|a\nb\nc\nd|", "||"}));
}

}  // namespace
}  // namespace stint::net
