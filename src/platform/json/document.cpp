#include "platform/json/document.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <limits>

#include "platform/base/limits.h"
#include "platform/json/scan.h"

namespace stint::json {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// Walks the text once and writes the tape. Containers still open are a stack of node indexes, so that hostile nesting
// costs an error and never the thread's stack.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<std::vector<Node>> run() {
    // One node per sixteen bytes is typical of chat bodies; more grows the vector.
    nodes_.reserve(text_.size() / 16 + 1);
    skip_blanks();
    if (!value()) return std::unexpected(std::move(error_));
    while (depth_ > 0) {
      if (!next_in_container()) return std::unexpected(std::move(error_));
    }
    skip_blanks();
    if (at_ != text_.size()) return std::unexpected(syntax_error("nothing more"));
    return std::move(nodes_);
  }

 private:
  // Reads one value; of a container only its opening bracket.
  bool value() {
    if (at_ == text_.size()) return fail_syntax("a value");
    switch (text_[at_]) {
      case '{':
        return open(Kind::object);
      case '[':
        return open(Kind::array);
      case '"':
        return string();
      case 't':
        return literal("true", Kind::boolean);
      case 'f':
        return literal("false", Kind::boolean);
      case 'n':
        return literal("null", Kind::null);
      default:
        return number();
    }
  }

  // Continues the innermost open container after its bracket or after one of its children.
  bool next_in_container() {
    const Node& container = nodes_[open_[depth_ - 1]];
    const bool is_object = container.kind == Kind::object;
    const bool is_empty = nodes_.size() - 1 == open_[depth_ - 1];
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == (is_object ? '}' : ']')) return close();
    if (!is_empty) {
      if (at_ == text_.size() || text_[at_] != ',') {
        return fail_syntax(is_object ? "a comma or the end of the object" : "a comma or the end of the array");
      }
      ++at_;
      skip_blanks();
    }
    return is_object ? member() : value();
  }

  bool member() {
    if (at_ == text_.size() || text_[at_] != '"') return fail_syntax("a key in double quotes");
    if (!string()) return false;
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != ':') return fail_syntax("a colon");
    ++at_;
    skip_blanks();
    return value();
  }

  bool open(Kind kind) {
    if (depth_ == base::kJsonDepthMax) {
      error_ = {ErrorKind::invalid_request,
                fmt::format("The JSON text nests deeper than {} levels at byte {}.", base::kJsonDepthMax, at_),
                {},
                {}};
      return false;
    }
    open_[depth_] = static_cast<std::uint32_t>(nodes_.size());
    ++depth_;
    return push(kind, at_ + 1);
  }

  bool close() {
    --depth_;
    ++at_;
    Node& container = nodes_[open_[depth_]];
    container.span.end = static_cast<std::uint32_t>(at_);
    container.extent = static_cast<std::uint32_t>(nodes_.size()) - open_[depth_];
    return true;
  }

  bool string() {
    const StringScan scan = scan_string(text_, at_);
    if (!scan.valid) {
      at_ = scan.end;
      return fail_syntax(at_ == text_.size()  ? "the end of a string"
                         : text_[at_] == '\\' ? "an escape sequence"
                                              : "control characters in strings to be escaped");
    }
    if (!push(Kind::string, scan.end)) return false;
    nodes_.back().escaped = scan.escaped;
    return true;
  }

  bool literal(std::string_view word, Kind kind) {
    if (!text_.substr(at_).starts_with(word)) return fail_syntax("a value");
    return push(kind, at_ + word.size());
  }

  bool number() {
    const std::size_t end = scan_number(text_, at_);
    if (end == at_) return fail_syntax("a value");
    return push(Kind::number, end);
  }

  bool push(Kind kind, std::size_t end) {
    if (nodes_.size() == base::kJsonNodeCountMax) {
      error_ = {ErrorKind::too_large,
                fmt::format("The JSON text holds more than {} values and keys.", base::kJsonNodeCountMax),
                {},
                {}};
      return false;
    }
    nodes_.push_back({.span = {static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(end)}, .kind = kind});
    at_ = end;
    return true;
  }

  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  Error syntax_error(std::string_view expected) const {
    const std::string where = at_ == text_.size() ? "the text ends" : fmt::format("something else is at byte {}", at_);
    return {ErrorKind::invalid_request,
            fmt::format("The JSON text is not valid: expected {}, but {}.", expected, where),
            {},
            {}};
  }

  bool fail_syntax(std::string_view expected) {
    error_ = syntax_error(expected);
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Node> nodes_;
  std::array<std::uint32_t, base::kJsonDepthMax> open_{};
  std::size_t depth_ = 0;
  Error error_;
};

}  // namespace

Result<Document> Document::parse(std::string_view text) {
  if (text.size() >= std::numeric_limits<std::uint32_t>::max()) {
    return fail(ErrorKind::too_large, "The JSON text is larger than 4 GiB.");
  }
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    return fail(ErrorKind::invalid_request, "The JSON text is not valid UTF-8; send it encoded as UTF-8.");
  }
  auto nodes = Parser(text).run();
  if (!nodes) return std::unexpected(std::move(nodes.error()));
  return Document(text, std::move(*nodes));
}

}  // namespace stint::json
