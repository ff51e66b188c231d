// The reader against nlohmann on arbitrary bytes: the same texts accepted, the same values read, every span
// re-readable.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "platform/base/assert.h"
#include "platform/json/document.h"
#include "platform/json/edits.h"

namespace {

using stint::json::Document;
using stint::json::Kind;
using stint::json::Value;
using Peer = nlohmann::ordered_json;

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return text.contains(part); });
}

void compare(const Value& ours, const Peer& theirs) {
  switch (ours.kind()) {
    case Kind::null:
      STINT_ASSERT(theirs.is_null());
      return;
    case Kind::boolean:
      STINT_ASSERT(theirs.is_boolean() && *ours.boolean() == theirs.get<bool>());
      return;
    case Kind::number:
      STINT_ASSERT(theirs.is_number() && *ours.number() == theirs.get<double>());
      if (theirs.is_number_unsigned()) STINT_ASSERT(*ours.integer() == theirs.get<std::uint64_t>());
      return;
    case Kind::string:
      STINT_ASSERT(theirs.is_string() && *ours.string() == theirs.get_ref<const std::string&>());
      STINT_ASSERT(ours.equals(*ours.string()));
      return;
    case Kind::array: {
      STINT_ASSERT(theirs.is_array() && ours.array()->count() == theirs.size());
      std::size_t index = 0;
      for (const Value child : *ours.array()) compare(child, theirs[index++]);
      return;
    }
    case Kind::object: {
      STINT_ASSERT(theirs.is_object());
      // The peer keeps one of several equal keys, so only unique ones compare.
      for (const auto member : *ours.object()) {
        const std::string key = *member.key.string();
        STINT_ASSERT(theirs.contains(key));
        std::size_t same = 0;
        for (const auto other : *ours.object()) same += other.key.equals(key) ? 1 : 0;
        if (same == 1) compare(member.value, theirs[key]);
      }
      return;
    }
  }
}

// Every value's bytes are a document of their own, and every member can be cut out.
void check_spans(const Value& value, std::string_view text) {
  STINT_ASSERT(Document::parse(value.raw()).has_value());
  STINT_ASSERT(value.path().size() <= text.size() + 16 * 200);
  if (value.is(Kind::array)) {
    for (const Value child : *value.array()) check_spans(child, text);
  } else if (value.is(Kind::object)) {
    stint::json::Edits edits;
    for (const auto member : *value.object()) {
      edits.remove_member(member.span());
      check_spans(member.value, text);
    }
    STINT_ASSERT(Document::parse(edits.apply(text)).has_value());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4096) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto document = Document::parse(text);
  const Peer peer = Peer::parse(text, nullptr, false);
  // The peer ends at a zero byte, skips a byte order mark and knows no depth limit.
  const bool peer_is_laxer = text.contains('\0') || text.starts_with("\xEF\xBB\xBF");
  if (!document) {
    const bool too_deep = document.error().message.contains("nests deeper");
    STINT_ASSERT(peer.is_discarded() || peer_is_laxer || too_deep);
    return 0;
  }
  check_spans(document->root(), text);
  if (peer.is_discarded()) {
    // It refuses lone surrogates and numbers beyond a double, which we keep.
    STINT_ASSERT(contains_any(text, {"\\ud", "\\uD", "e", "E"}) || size > 300);
    return 0;
  }
  compare(document->root(), peer);
  return 0;
}
