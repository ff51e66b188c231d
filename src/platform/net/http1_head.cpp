#include "platform/net/http1_head.h"

#include <charconv>

#include "platform/base/assert.h"
#include "platform/net/authority.h"

namespace stint::net {

namespace {

constexpr std::size_t kMethodSizeMax = 32;
constexpr std::size_t kContentLengthDigitsMax = 18;  // below 2^60: sums cannot overflow

// RFC 9110 section 5.6.2.
bool is_token_char(char c) {
  static constexpr auto kTable = [] {
    std::array<bool, 256> table{};
    for (char letter = 'a'; letter <= 'z'; ++letter) table[static_cast<unsigned char>(letter)] = true;
    for (char letter = 'A'; letter <= 'Z'; ++letter) table[static_cast<unsigned char>(letter)] = true;
    for (char digit = '0'; digit <= '9'; ++digit) table[static_cast<unsigned char>(digit)] = true;
    for (const char mark : std::string_view("!#$%&'*+-.^_`|~")) table[static_cast<unsigned char>(mark)] = true;
    return table;
  }();
  return kTable[static_cast<unsigned char>(c)];
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
}

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Http1Failure bad_request(std::string message) {
  return {400, Error{ErrorKind::invalid_request, std::move(message), {}, {}}};
}

// Takes one line off the front, without its CR LF. The codec has seen to it that every line of `text` has one.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find("\r\n");
  STINT_ASSERT(end != std::string_view::npos);
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 2);
  return line;
}

std::optional<Http1Failure> parse_fields(std::string_view text, Headers& headers) {
  headers.reserve(24, text.size());
  for (;;) {
    const std::string_view line = take_line(text);
    if (line.empty()) break;
    if (headers.size() == kHeaderCountMax) {
      return Http1Failure{431, Error{ErrorKind::headers_too_large,
                                     fmt::format("The request has more than {} header fields.", kHeaderCountMax),
                                     {},
                                     {}}};
    }
    std::string_view name;
    std::string_view value;
    if (!parse_field_line(line, name, value)) {
      return bad_request("A header line is malformed: expected \"name: value\" without folding or control characters.");
    }
    headers.add(name, value);
  }
  if (!text.empty()) return bad_request("The head of the message contains an empty line.");
  return std::nullopt;
}

std::optional<Http1Failure> read_content_length(const Headers& headers, Framing& framing) {
  std::optional<std::string_view> first;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (!equals_ignoring_case(headers.name(i), "content-length")) continue;
    const std::string_view value = headers.value(i);
    if (!is_digits(value) || value.size() > kContentLengthDigitsMax) {
      return bad_request("The content-length header is not a plain number.");
    }
    if (first && *first != value) return bad_request("There are several content-length headers that differ.");
    first = value;
  }
  if (!first) return std::nullopt;
  framing.body = BodyKind::length;
  std::from_chars(first->data(), first->data() + first->size(), framing.content_length);
  return std::nullopt;
}

std::optional<Http1Failure> read_framing(const Headers& headers, int version_minor, Framing& framing) {
  framing = Framing{};
  framing.keep_alive =
      version_minor == 1 ? !headers.has_token("connection", "close") : headers.has_token("connection", "keep-alive");
  if (auto failure = read_content_length(headers, framing)) return failure;
  const std::size_t coding_count = headers.count("transfer-encoding");
  if (coding_count == 0) return std::nullopt;
  if (framing.body == BodyKind::length) {
    return bad_request("The message has both content-length and transfer-encoding.");
  }
  if (version_minor == 0) return bad_request("HTTP/1.0 has no transfer-encoding.");
  if (coding_count > 1 || !equals_ignoring_case(*headers.find("transfer-encoding"), "chunked")) {
    return Http1Failure{
        501, Error{ErrorKind::unsupported, "The only transfer-encoding understood is \"chunked\", once.", {}, {}}};
  }
  framing.body = BodyKind::chunked;
  return std::nullopt;
}

std::optional<Http1Failure> parse_version(std::string_view text, int& version_minor) {
  const bool well_formed = text.size() == 8 && text.starts_with("HTTP/") && is_digits(text.substr(5, 1)) &&
                           text[6] == '.' && is_digits(text.substr(7, 1));
  if (!well_formed) return bad_request("The first line does not name an HTTP version, as in \"GET / HTTP/1.1\".");
  if (text[5] != '1' || text[7] > '1') {
    return Http1Failure{505, Error{ErrorKind::unsupported, "Only HTTP/1.1 and HTTP/1.0 are spoken here.", {}, {}}};
  }
  version_minor = text[7] - '0';
  return std::nullopt;
}

// Absolute form ("http://host/path") is cut to its path; its authority must be the one that the Host header names, else
// two readers of this request could disagree about whom it is for.
std::optional<Http1Failure> cut_absolute_target(HttpRequest& request) {
  const auto url = parse_url(request.target);
  if (!url) return bad_request("The request target is neither a path nor a valid http URL.");
  const auto host = request.headers.find("host");
  const auto authority = host ? parse_authority(*host) : Result<Authority>(url->authority);
  if (!authority || authority->host != url->authority.host || authority->port != url->authority.port) {
    return bad_request("The request target names another host than the Host header.");
  }
  request.target = url->target;
  return std::nullopt;
}

std::optional<Http1Failure> check_target(HttpRequest& request) {
  const std::string& target = request.target;
  const bool printable =
      !target.empty() && std::all_of(target.begin(), target.end(), [](char c) { return c > 0x20 && c < 0x7f; });
  if (!printable || target.find('#') != std::string::npos) {
    return bad_request("The request target contains characters that must be percent-encoded.");
  }
  if (target.front() == '/') return std::nullopt;
  if (target == "*" && request.method == "OPTIONS") return std::nullopt;
  return cut_absolute_target(request);
}

std::optional<Http1Failure> check_host(const HttpRequest& request) {
  const std::size_t count = request.headers.count("host");
  if (count > 1) return bad_request("There is more than one Host header.");
  if (count == 0) {
    if (request.version_minor == 0) return std::nullopt;
    return bad_request("The Host header is missing.");
  }
  if (!parse_authority(*request.headers.find("host"))) {
    return bad_request("The Host header is not a host name or address with an optional port.");
  }
  return std::nullopt;
}

void append_fields(std::string& out, const Headers& headers) {
  for (std::size_t i = 0; i < headers.size(); ++i) {
    STINT_ASSERT(is_token(headers.name(i)));
    out.append(headers.name(i)).append(": ");
    const std::size_t begin = out.size();
    out.append(headers.value(i));
    std::replace_if(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), is_control, ' ');
    out.append("\r\n");
  }
  out.append("\r\n");
}

}  // namespace

bool parse_field_line(std::string_view line, std::string_view& name, std::string_view& value) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return false;
  name = line.substr(0, colon);
  value = line.substr(colon + 1);
  const std::size_t begin = std::min(value.find_first_not_of(" \t"), value.size());
  value.remove_prefix(begin);
  value = value.substr(0, value.find_last_not_of(" \t") + 1);
  return is_token(name) && std::none_of(value.begin(), value.end(), is_control);
}

std::optional<Http1Failure> parse_request_head(std::string_view text, HttpRequest& request, Framing& framing) {
  request = HttpRequest{};
  const std::string_view line = take_line(text);
  const std::size_t first_blank = line.find(' ');
  const std::size_t last_blank = line.rfind(' ');
  if (first_blank == std::string_view::npos || first_blank == last_blank) {
    return bad_request("The first line is not a request line, as in \"GET / HTTP/1.1\".");
  }
  const std::string_view method = line.substr(0, first_blank);
  if (!is_token(method) || method.size() > kMethodSizeMax) return bad_request("The request method is malformed.");
  request.method = method;
  request.target = line.substr(first_blank + 1, last_blank - first_blank - 1);
  if (auto failure = parse_version(line.substr(last_blank + 1), request.version_minor)) return failure;
  if (auto failure = parse_fields(text, request.headers)) return failure;
  if (auto failure = check_host(request)) return failure;
  if (auto failure = check_target(request)) return failure;
  return read_framing(request.headers, request.version_minor, framing);
}

std::optional<Http1Failure> parse_response_head(std::string_view text, bool head_request, HttpResponseHead& response,
                                                Framing& framing) {
  response = HttpResponseHead{};
  const std::string_view line = take_line(text);
  int version_minor = 1;
  if (auto failure = parse_version(line.substr(0, 8), version_minor)) return failure;
  const bool well_formed = line.size() >= 12 && line[8] == ' ' && is_digits(line.substr(9, 3)) && line[9] != '0' &&
                           (line.size() == 12 || line[12] == ' ') && std::none_of(line.begin(), line.end(), is_control);
  if (!well_formed) return bad_request("The status line of the response is malformed.");
  std::from_chars(line.data() + 9, line.data() + 12, response.status);
  response.reason = line.size() > 13 ? line.substr(13) : std::string_view();
  if (auto failure = parse_fields(text, response.headers)) return failure;
  if (auto failure = read_framing(response.headers, version_minor, framing)) return failure;
  const bool without_body = head_request || response.status < 200 || response.status == 204 || response.status == 304;
  if (without_body) {
    framing.body = BodyKind::none;
  } else if (framing.body == BodyKind::none) {
    framing.body = BodyKind::until_close;
    framing.keep_alive = false;
  }
  return std::nullopt;
}

void append_request_head(std::string& out, std::string_view method, std::string_view target, const Headers& headers) {
  out.append(method).append(" ").append(target).append(" HTTP/1.1\r\n");
  append_fields(out, headers);
}

void append_response_head(std::string& out, int status, const Headers& headers) {
  fmt::format_to(std::back_inserter(out), "HTTP/1.1 {} {}\r\n", status, reason_phrase(status));
  append_fields(out, headers);
}

}  // namespace stint::net
