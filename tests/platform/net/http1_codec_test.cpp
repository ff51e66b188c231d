#include "platform/net/http1_codec.h"

#include <gtest/gtest.h>

namespace stint::net {
namespace {

using Event = Http1Decoder::Event;

// A protocol of everything that was decoded: "H<method or status> D<body so far> E", "F<status>".
class Transcript {
 public:
  explicit Transcript(Http1Decoder::Role role) : role_(role), decoder_(role) {}

  void feed(std::string_view input) {
    for (;;) {
      const Event event = decoder_.next(input);
      if (!note(event)) return;
    }
  }
  void finish_input() { note(decoder_.finish_input()); }
  const std::string& text() const { return text_; }

 private:
  bool note(Event event) {
    switch (event) {
      case Event::need_input:
        return false;
      case Event::head:
        text_ += "H" + (role_ == Http1Decoder::Role::request ? decoder_.request().method
                                                             : std::to_string(decoder_.response().status));
        return true;
      case Event::data:
        if (!in_body_) text_ += " D";
        in_body_ = true;
        text_ += decoder_.data();
        return true;
      case Event::end:
        text_ += " E ";
        in_body_ = false;
        decoder_.start_next();
        return true;
      case Event::failed:
        if (!failed_) text_ += "F" + std::to_string(decoder_.failure().status);
        failed_ = true;
        return false;
    }
    return false;
  }

  Http1Decoder::Role role_;
  Http1Decoder decoder_;
  std::string text_;
  bool in_body_ = false;
  bool failed_ = false;
};

std::string decode(Http1Decoder::Role role, std::string_view bytes, std::size_t step, bool finish = true) {
  Transcript transcript(role);
  while (!bytes.empty()) {
    transcript.feed(bytes.substr(0, step));
    bytes.remove_prefix(std::min(step, bytes.size()));
  }
  if (finish) transcript.finish_input();
  return transcript.text();
}

void expect(Http1Decoder::Role role, std::string_view bytes, std::string_view transcript) {
  for (std::size_t step = 1; step <= bytes.size(); ++step) {
    ASSERT_EQ(decode(role, bytes, step), transcript) << testing::PrintToString(bytes) << " by " << step;
  }
}

constexpr auto kRequest = Http1Decoder::Role::request;
constexpr auto kResponse = Http1Decoder::Role::response;

TEST(Http1Decoder, decodes_pipelined_requests_however_they_are_cut) {
  expect(kRequest,
         "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
         "\r\nPOST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
         "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
         "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
         "HGET E HPOST Dhello E HPUT Dabcde E HPOST E ");
}

TEST(Http1Decoder, decodes_responses) {
  expect(kResponse,
         "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
         "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nt: u\r\n\r\n"
         "HTTP/1.0 500 Oh\r\n\r\nuntil the end",
         "H100 E H200 Dok E H200 Da E H500 Duntil the end E ");
}

TEST(Http1Decoder, refuses_bare_line_feeds_and_a_second_empty_line) {
  expect(kRequest, "GET / HTTP/1.1\nHost: x\n\n", "F400");
  expect(kRequest, "GET / HTTP/1.1\r\nHost: x\n\r\n", "F400");
  expect(kRequest, "GET / HTTP/1.1\r\nHost: x\r\n\n", "F400");
  expect(kRequest, "\n", "F400");
  expect(kRequest, "\r\n\r\nGET", "F400");
  expect(kResponse, "\r\nHTTP/1.1 200 OK\r\n\r\n", "F400");
}

TEST(Http1Decoder, an_end_of_stream_inside_a_message_is_a_failure) {
  expect(kRequest, "GET / HTTP/1.1\r\nHost", "F400");
  expect(kRequest, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhell", "HPOST DhellF400");
  expect(kResponse, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n", "H200 DaF400");
}

TEST(Http1Decoder, bounds_the_head_exactly) {
  const std::string frame = "GET / HTTP/1.1\r\nHost: x\r\nA: \r\n\r\n";
  for (const std::size_t step : {std::size_t{1000}, std::size_t{1'000'000}}) {
    const std::string largest =
        "GET / HTTP/1.1\r\nHost: x\r\nA: " + std::string(base::kRequestHeadSizeMax - frame.size(), 'a') + "\r\n\r\n";
    EXPECT_EQ(decode(kRequest, largest, step), "HGET E ");
    EXPECT_EQ(decode(kRequest, "X" + largest, step), "F431");
    EXPECT_EQ(decode(kRequest, std::string(base::kRequestHeadSizeMax + 1, 'a'), step), "F431");
  }
}

TEST(Http1Decoder, answers_to_head_requests_have_no_body) {
  Http1Decoder decoder(kResponse);
  decoder.start_next(true);
  std::string_view input = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na";
  EXPECT_EQ(decoder.next(input), Event::head);
  EXPECT_EQ(decoder.next(input), Event::end);
  decoder.start_next();
  EXPECT_EQ(decoder.next(input), Event::head);
  EXPECT_EQ(decoder.next(input), Event::data);
}

TEST(Http1Decoder, lets_go_of_the_last_request_before_the_next) {
  Http1Decoder decoder(kRequest);
  std::string_view input = "GET /secret HTTP/1.1\r\nHost: x\r\n\r\n\n";
  EXPECT_EQ(decoder.next(input), Event::head);
  const auto body = std::make_shared<const std::string>("body");
  decoder.request().body = body;
  EXPECT_EQ(decoder.next(input), Event::end);
  decoder.start_next();
  EXPECT_EQ(body.use_count(), 1);
  EXPECT_EQ(decoder.next(input), Event::failed);
  EXPECT_EQ(decoder.request().target, "");
}

TEST(AppendChunk, writes_sizes_in_hex) {
  std::string text;
  append_chunk_size(text, 255);
  EXPECT_EQ(text, "ff\r\n");
}

}  // namespace
}  // namespace stint::net
