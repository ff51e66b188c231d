// Fields: the members of one object that the caller knows, found in one pass and looked up at compile time:
//   auto fields = json::Fields<"role", "content">::read(message);  ...  fields->get<"role">()
// A known key that occurs twice or is spelled with escapes is an error: another reader of the same bytes might resolve
// it differently. Members with other keys are left alone. Borrows like Value. Cost: members times known keys of equal
// length.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "platform/base/result.h"
#include "platform/json/value.h"

namespace stint::json {

// A key as a template argument.
template <std::size_t Size>
struct KeyText {
  consteval KeyText(const char (&text)[Size]) { std::copy_n(text, Size, characters); }  // NOLINT: implicit by design
  constexpr std::string_view view() const { return {characters, Size - 1}; }

  char characters[Size];
};

// Fills values[i] with the member keys[i] of `object`, or leaves it absent. Requires: equally many keys and values.
// Errors: invalid_request when `object` is no object, or when a known key is repeated or escaped.
Result<void> read_fields(Value object, std::span<const std::string_view> keys, std::span<Value> values,
                         std::span<Span> member_spans);

template <KeyText... Keys>
class Fields {
 public:
  static Result<Fields> read(Value object) {
    Fields fields;
    fields.object_ = object;
    if (auto read = read_fields(object, kKeys, fields.values_, fields.member_spans_); !read) {
      return std::unexpected(read.error());
    }
    return fields;
  }

  template <KeyText Key>
  Value get() const {
    return values_[index_of<Key>()];
  }
  // The whole member, key and value, to be cut out by Edits. Requires: the member exists.
  template <KeyText Key>
  Span member_span() const {
    return member_spans_[index_of<Key>()];
  }
  // Those of all known keys, in the order of Keys; empty spans for absent members.
  std::span<const Span> member_spans() const { return member_spans_; }
  // The member, or "PATH.KEY: this field is required." when absent.
  template <KeyText Key>
  Result<Value> require() const {
    Value value = get<Key>();
    if (!value.exists()) return std::unexpected(object_.member_error(Key.view(), "this field is required."));
    return value;
  }

 private:
  template <KeyText Key>
  static consteval std::size_t index_of() {
    constexpr auto kFound = std::ranges::find(kKeys, Key.view());
    static_assert(kFound != kKeys.end(), "this key is not among the known keys");
    return static_cast<std::size_t>(kFound - kKeys.begin());
  }

  static constexpr std::array<std::string_view, sizeof...(Keys)> kKeys{Keys.view()...};

  Value object_;
  std::array<Value, sizeof...(Keys)> values_{};
  std::array<Span, sizeof...(Keys)> member_spans_{};
};

}  // namespace stint::json
