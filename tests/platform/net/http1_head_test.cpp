#include "platform/net/http1_head.h"

#include <gtest/gtest.h>

namespace stint::net {
namespace {

struct Parsed {
  std::optional<Http1Failure> failure;
  HttpRequest request;
  Framing framing;
};

Parsed parse(std::string_view text) {
  Parsed parsed;
  parsed.failure = parse_request_head(text, parsed.request, parsed.framing);
  return parsed;
}

int status_of(std::string_view text) {
  const Parsed parsed = parse(text);
  return parsed.failure ? parsed.failure->status : 200;
}

// A head whose only peculiarity is the given fields.
int status_with(const std::string& fields) {
  return status_of("POST /a HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n");
}

TEST(RequestHead, is_read_into_values) {
  const Parsed parsed = parse(
      "POST /v1/messages?beta=true HTTP/1.1\r\nHost: localhost:4000\r\nX-Empty:\r\nX-Padded: \t a b \t\r\n"
      "X-Latin: caf\xE9\r\nContent-Length: 12\r\n\r\n");
  ASSERT_FALSE(parsed.failure) << parsed.failure->error.message;
  EXPECT_EQ(parsed.request.method, "POST");
  EXPECT_EQ(parsed.request.target, "/v1/messages?beta=true");
  EXPECT_EQ(parsed.request.version_minor, 1);
  EXPECT_EQ(parsed.request.headers.find("x-empty"), "");
  EXPECT_EQ(parsed.request.headers.find("x-padded"), "a b");
  EXPECT_EQ(parsed.request.headers.find("x-latin"), "caf\xE9");
  EXPECT_EQ(parsed.framing.body, BodyKind::length);
  EXPECT_EQ(parsed.framing.content_length, 12u);
  EXPECT_TRUE(parsed.framing.keep_alive);
}

TEST(RequestHead, smuggling_attempts_are_refused) {
  const std::string cl = "Content-Length: 3\r\n";
  const std::string te = "Transfer-Encoding: chunked\r\n";
  const std::pair<std::string, int> cases[] = {
      {cl, 200},
      {te, 200},
      {"Transfer-Encoding: CHUNKED\r\n", 200},
      {cl + cl, 200},
      {cl + te, 400},
      {te + cl, 400},
      {cl + "Content-Length: 4\r\n", 400},
      {cl + "Content-Length: 03\r\n", 400},
      {"Content-Length: 3, 3\r\n", 400},
      {"Content-Length: +3\r\n", 400},
      {"Content-Length: -3\r\n", 400},
      {"Content-Length: 0x3\r\n", 400},
      {"Content-Length: 3 3\r\n", 400},
      {"Content-Length:\r\n", 400},
      {"Content-Length: 9999999999999999999\r\n", 400},
      {te + te, 501},
      {"Transfer-Encoding: chunked, identity\r\n", 501},
      {"Transfer-Encoding: identity, chunked\r\n", 501},
      {"Transfer-Encoding: xchunked\r\n", 501},
      {"Transfer-Encoding: \x0b"
       "chunked\r\n",
       400},
      {"Transfer-Encoding: gzip\r\n", 501},
      {"Transfer-Encoding: identity\r\n", 501},
      {"Transfer-Encoding:\r\n", 501},
      {"Transfer-Encoding : chunked\r\n", 400},
      {"Transfer-Encoding\t: chunked\r\n", 400},
      {" Transfer-Encoding: chunked\r\n", 400},
      {"X: a\r\n Transfer-Encoding: chunked\r\n", 400},
      {"X: a\r\n\tb\r\n", 400},
      {"X: a\rTransfer-Encoding: chunked\r\n", 400},
      {"X: a\nTransfer-Encoding: chunked\r\n", 400},
      {std::string("X: a\0b\r\n", 8), 400},
      {"X: a\x7f\r\n", 400},
      {"X\r\n", 400},
      {": a\r\n", 400},
      {"X y: a\r\n", 400},
      {"X(: a\r\n", 400},
      {"Host: y\r\n", 400},
  };
  for (const auto& [fields, status] : cases) EXPECT_EQ(status_with(fields), status) << testing::PrintToString(fields);
}

TEST(RequestHead, first_lines) {
  const std::string rest = "\r\nHost: x\r\n\r\n";
  const std::pair<std::string, int> cases[] = {
      {"GET / HTTP/1.1", 200},
      {"get / HTTP/1.1", 200},
      {"OPTIONS * HTTP/1.1", 200},
      {"GET * HTTP/1.1", 400},
      {"GET  / HTTP/1.1", 400},
      {"GET / HTTP/1.1 ", 400},
      {" GET / HTTP/1.1", 400},
      {"GET\t/\tHTTP/1.1", 400},
      {"GET /", 400},
      {"GET / http/1.1", 400},
      {"GET / HTTP/11", 400},
      {"GET / HTTP/1.1x", 400},
      {"GET / HTTP/2.0", 505},
      {"GET / HTTP/1.2", 505},
      {"GET / HTTP/0.9", 505},
      {"G@T / HTTP/1.1", 400},
      {std::string(33, 'G') + " / HTTP/1.1", 400},
      {"GET /a b HTTP/1.1", 400},
      {"GET /a\x80 HTTP/1.1", 400},
      {"GET /a\x01 HTTP/1.1", 400},
      {"GET /a#b HTTP/1.1", 400},
      {"GET a HTTP/1.1", 400},
      {"GET x:80 HTTP/1.1", 400},
      {"CONNECT x:80 HTTP/1.1", 400},
      {"GET ftp://x/ HTTP/1.1", 400},
      {"GET http://x/a HTTP/1.1", 200},
      {"GET http://y/a HTTP/1.1", 400},
      {"GET http://u@x/a HTTP/1.1", 400},
  };
  for (const auto& [line, status] : cases) EXPECT_EQ(status_of(line + rest), status) << testing::PrintToString(line);
}

TEST(RequestHead, absolute_form_is_cut_to_its_path) {
  const Parsed parsed = parse("GET http://X:80?q HTTP/1.1\r\nHost: x:80\r\n\r\n");
  ASSERT_FALSE(parsed.failure);
  EXPECT_EQ(parsed.request.target, "/?q");
}

TEST(RequestHead, host_is_required_in_1_1_only_and_must_be_one) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.0\r\n\r\n"), 200);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a b\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost:\r\n\r\n"), 400);
}

TEST(RequestHead, http_1_0_has_no_transfer_encoding_and_closes_by_default) {
  EXPECT_EQ(status_of("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
  EXPECT_FALSE(parse("GET / HTTP/1.0\r\n\r\n").framing.keep_alive);
  EXPECT_TRUE(parse("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n").framing.keep_alive);
  EXPECT_FALSE(parse("GET / HTTP/1.1\r\nHost: x\r\nConnection: foo, close\r\n\r\n").framing.keep_alive);
}

TEST(RequestHead, counts_fields) {
  std::string fields;
  for (std::size_t i = 1; i < kHeaderCountMax; ++i) fields += "a: b\r\n";
  EXPECT_EQ(status_with(fields), 200);
  EXPECT_EQ(status_with(fields + "a: b\r\n"), 431);
}

TEST(RequestHead, a_failure_keeps_what_was_read_for_the_error_formatter) {
  const Parsed parsed = parse("GET /v1/messages HTTP/1.1\r\nHost: x\r\nanthropic-version: 1\r\nbroken\r\n\r\n");
  ASSERT_TRUE(parsed.failure);
  EXPECT_EQ(parsed.request.target, "/v1/messages");
  EXPECT_EQ(parsed.request.headers.find("anthropic-version"), "1");
}

TEST(ResponseHead, decides_how_the_body_ends) {
  const auto framing_of = [](std::string_view text, bool head_request = false) {
    HttpResponseHead response;
    Framing framing;
    const auto failure = parse_response_head(text, head_request, response, framing);
    EXPECT_FALSE(failure);
    return framing.body;
  };
  EXPECT_EQ(framing_of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"), BodyKind::length);
  EXPECT_EQ(framing_of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", true), BodyKind::none);
  EXPECT_EQ(framing_of("HTTP/1.1 204\r\n\r\n"), BodyKind::none);
  EXPECT_EQ(framing_of("HTTP/1.1 304 \r\nContent-Length: 5\r\n\r\n"), BodyKind::none);
  EXPECT_EQ(framing_of("HTTP/1.1 100 Continue\r\n\r\n"), BodyKind::none);
  EXPECT_EQ(framing_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), BodyKind::chunked);
  EXPECT_EQ(framing_of("HTTP/1.0 200 OK\r\n\r\n"), BodyKind::until_close);
}

TEST(ResponseHead, malformed_ones_are_refused) {
  for (const std::string_view text :
       {"HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.1 099 X\r\n\r\n",
        "\r\n\r\n", "ICY 200 OK\r\n\r\n", "HTTP/1.1 200 O\x01K\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"}) {
    HttpResponseHead response;
    Framing framing;
    EXPECT_TRUE(parse_response_head(text, false, response, framing)) << testing::PrintToString(text);
  }
}

TEST(AppendHead, writes_what_parse_reads) {
  std::string text;
  append_request_head(text, "GET", "/a?b", Headers{{"Host", "x"}, {"X-A", "1\r\n2"}});
  EXPECT_EQ(text, "GET /a?b HTTP/1.1\r\nHost: x\r\nX-A: 1  2\r\n\r\n");
  EXPECT_FALSE(parse(text).failure);
  text.clear();
  append_response_head(text, 404, Headers{{"a", "b"}});
  EXPECT_EQ(text, "HTTP/1.1 404 Not Found\r\na: b\r\n\r\n");
}

}  // namespace
}  // namespace stint::net
