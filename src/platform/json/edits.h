// Edits: changes to a JSON text by byte span, so that everything else stays byte for byte what the client sent (key
// order, blanks, 20-digit numbers, escapes): provider prefix caches hash those bytes. Collected in any order, applied
// once. Plain value, not thread-safe. Cost: the text's size, plus sorting the edits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/json/value.h"

namespace stint::json {

class Edits {
 public:
  // Replaces the bytes of a value; `json` is the new value's JSON text.
  void replace(Span value, std::string json);
  // Removes a member (Member::span(), Fields::member_span()) with the comma that joined it to its neighbour.
  void remove_member(Span member);
  // Puts a member in front of all others of the object that begins at `object_begin`.
  void insert_member(std::uint32_t object_begin, std::string_view key, std::string_view json);

  bool empty() const { return edits_.empty(); }
  // Requires: spans of values and members of one valid document whose text is `original`, none within another.
  std::string apply(std::string_view original) const;

 private:
  enum class Action : std::uint8_t { insert, replace, remove };
  struct Edit {
    Span span;
    Action action;
    std::string text;
  };

  std::vector<Edit> edits_;
};

}  // namespace stint::json
