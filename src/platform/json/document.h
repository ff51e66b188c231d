// Document: a whole JSON text, validated (RFC 8259, UTF-8 included) and laid out as a flat tape of nodes with byte
// spans. One pass of our own rather than simdjson's: 3.0.1 has no spans of values, leaves parts it skips unchecked
// (`tru`, `[}`), resolves duplicate keys silently and keeps parsers as large as the largest body they saw. simdjson
// still checks the UTF-8; a fuzzer compares acceptance and values with nlohmann.
// Borrows the text: it must outlive the Document and every Value. Movable. Thread-safe for reading.
// Limits: kJsonDepthMax levels, kJsonNodeCountMax values and keys, 4 GiB of text; 16 bytes a node.
#pragma once

#include <string_view>
#include <vector>

#include "platform/base/result.h"
#include "platform/json/value.h"

namespace stint::json {

class Document {
 public:
  // Errors: invalid_request, naming the byte and what was expected there. Lone surrogates (`"\ud83d"`) are accepted,
  // because clients cut strings in the middle of a character; they read as U+FFFD.
  static Result<Document> parse(std::string_view text);

  Value root() const { return {nodes_.data(), nodes_.data(), text_.data()}; }

 private:
  Document(std::string_view text, std::vector<Node> nodes) : text_(text), nodes_(std::move(nodes)) {}

  std::string_view text_;
  std::vector<Node> nodes_;
};

}  // namespace stint::json
