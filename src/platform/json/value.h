// Value: a checked cursor into a parsed json::Document, 24 bytes, copied freely. Every getter reports what it found
// under the value's dotted path ("messages.3.content.0.type: expected a string, got a number.").
// Borrows: valid while the Document and its text live (moving the Document is fine). Thread-safe for reading.
// Limits: those of Document. Iterating costs one step a child; a path is only computed when something is wrong.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "platform/base/result.h"
#include "platform/json/unescape.h"

namespace stint::json {

// Half-open range of bytes in the text as received, without surrounding blanks.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  std::uint32_t size() const { return end - begin; }
  friend bool operator==(const Span&, const Span&) = default;
};

enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

// As messages say it: "a string", "an object".
std::string_view to_string(Kind kind);

// One value on the tape of a Document, in document order; an object holds key, value, key, value, ...
struct Node {
  Span span;                 // strings with their quotes
  std::uint32_t extent = 1;  // nodes of this subtree, itself included
  Kind kind = Kind::null;
  bool escaped = false;  // string: holds a backslash
};

class Elements;
class Members;

class Value {
 public:
  // An absent value: what Fields gives for a member that is not there. Every typed getter on it is an error.
  Value() = default;
  Value(const Node* root, const Node* node, const char* text) : root_(root), node_(node), text_(text) {}

  bool exists() const { return node_ != nullptr; }
  // There and not null: optional fields of both wire APIs treat null as absent.
  bool given() const { return exists() && node_->kind != Kind::null; }
  bool is(Kind kind) const { return exists() && node_->kind == kind; }
  Kind kind() const;  // Requires: exists()
  Span span() const;  // Requires: exists()
  // The bytes of the value as they stand in the text; empty when absent.
  std::string_view raw() const;

  Result<bool> boolean() const;
  // Whole numbers, exactly; 1.0 and 1e2 count as whole, because JavaScript and Python clients write both.
  Result<std::uint64_t> integer(std::uint64_t min = 0,
                                std::uint64_t max = std::numeric_limits<std::uint64_t>::max()) const;
  Result<std::int64_t> signed_integer() const;
  Result<double> number(double min = std::numeric_limits<double>::lowest(),
                        double max = std::numeric_limits<double>::max()) const;
  Result<Elements> array() const;
  Result<Members> object() const;
  // A view into the text when the string has no escapes, else unescaped and kept by `arena`, any type with
  // `std::string_view keep(std::string)`.
  template <typename Arena>
  Result<std::string_view> string(Arena& arena) const {
    if (!is(Kind::string)) return std::unexpected(mismatch("a string"));
    if (!node_->escaped) return quoted();
    return arena.keep(unescape(quoted()));
  }
  // The same as an owned copy.
  Result<std::string> string() const;

  // True for the string whose characters are `text`, however it is escaped.
  bool equals(std::string_view text) const;

  // "messages.3.content.0.type"; empty for the root. O(nodes before the value).
  std::string path() const;
  // invalid_request about this value: "PATH: WHAT" with the path as param.
  Error error(std::string_view what) const;
  // The same for a member of this object that is missing or wrong: "PATH.KEY: WHAT".
  Error member_error(std::string_view key, std::string_view what) const;

 private:
  friend class Elements;
  friend class Members;
  std::string_view quoted() const { return {text_ + node_->span.begin + 1, node_->span.size() - 2U}; }
  Error mismatch(std::string_view expected) const;

  const Node* root_ = nullptr;
  const Node* node_ = nullptr;
  const char* text_ = nullptr;
};

struct Member {
  Value key;  // a string
  Value value;

  // From the key's opening quote to the value's last byte.
  Span span() const { return {key.span().begin, value.span().end}; }
};

// The children of an array, for range-for.
class Elements {
 public:
  explicit Elements(const Value& array) : array_(array) {}

  class Iterator {
   public:
    explicit Iterator(const Value& at) : at_(at) {}
    Value operator*() const { return at_; }
    Iterator& operator++() {
      at_.node_ += at_.node_->extent;
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_.node_ == b.at_.node_; }

   private:
    Value at_;
  };

  Iterator begin() const { return Iterator({array_.root_, array_.node_ + 1, array_.text_}); }
  Iterator end() const { return Iterator({array_.root_, array_.node_ + array_.node_->extent, array_.text_}); }
  bool empty() const { return array_.node_->extent == 1; }
  // O(children).
  std::size_t count() const;

 private:
  Value array_;
};

// The members of an object, in the order of the text, duplicates included, for range-for.
class Members {
 public:
  explicit Members(const Value& object) : object_(object) {}

  class Iterator {
   public:
    explicit Iterator(const Value& key) : key_(key) {}
    Member operator*() const { return {key_, {key_.root_, key_.node_ + 1, key_.text_}}; }
    Iterator& operator++() {
      key_.node_ += 1 + key_.node_[1].extent;
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.key_.node_ == b.key_.node_; }

   private:
    Value key_;
  };

  Iterator begin() const { return Iterator({object_.root_, object_.node_ + 1, object_.text_}); }
  Iterator end() const { return Iterator({object_.root_, object_.node_ + object_.node_->extent, object_.text_}); }
  bool empty() const { return object_.node_->extent == 1; }

 private:
  Value object_;
};

}  // namespace stint::json
