#include "platform/json/edits.h"

#include <algorithm>
#include <tuple>

#include "platform/base/assert.h"
#include "platform/json/writer.h"

namespace stint::json {
namespace {

constexpr std::string_view kBlanks = " \n\r\t";

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kBlanks, at), text.size());
}

// Takes the comma off the end of `out`, if one is there: its member was the last and is gone.
void strip_comma(std::string& out) {
  const std::size_t last = out.find_last_not_of(kBlanks);
  if (last != std::string::npos && out[last] == ',') out.resize(last);
}

}  // namespace

void Edits::replace(Span value, std::string json) {
  edits_.push_back({value, Action::replace, std::move(json)});
}

void Edits::remove_member(Span member) {
  edits_.push_back({member, Action::remove, {}});
}

void Edits::insert_member(std::uint32_t object_begin, std::string_view key, std::string_view json) {
  std::string member;
  append_string(member, key);
  member += ':';
  member += json;
  edits_.push_back({{object_begin + 1, object_begin + 1}, Action::insert, std::move(member)});
}

std::string Edits::apply(std::string_view original) const {
  std::vector<const Edit*> sorted;
  std::size_t size = original.size();
  for (const Edit& edit : edits_) {
    sorted.push_back(&edit);
    size += edit.text.size() + 1;
  }
  // Edits of one kind at one place keep the order in which they were asked for, which is their order in memory.
  std::ranges::sort(sorted, {}, [](const Edit* edit) { return std::tuple(edit->span.begin, edit->action, edit); });

  std::string out;
  out.reserve(size);
  std::size_t at = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Edit& edit = *sorted[i];
    // A removal also takes the comma and the blanks behind it, never the first byte of what follows.
    STINT_ASSERT(at <= edit.span.begin && edit.span.end <= original.size());
    out.append(original, at, edit.span.begin - at);
    at = edit.span.end;
    out += edit.text;
    if (edit.action == Action::replace) continue;
    const std::size_t next = skip_blanks(original, at);
    const char follows = next < original.size() ? original[next] : '\0';
    if (edit.action == Action::insert) {
      const bool another =
          i + 1 < sorted.size() && sorted[i + 1]->action == Action::insert && sorted[i + 1]->span == edit.span;
      if (another || follows != '}') out += ',';
    } else if (follows == ',') {
      at = skip_blanks(original, next + 1);
    } else {
      strip_comma(out);
    }
  }
  out.append(original, at);
  return out;
}

}  // namespace stint::json
