#include "engine/template/text.h"

#include <algorithm>

#include "platform/base/utf8.h"

namespace stint::chat_template {

Text slice(const Text& text, std::size_t offset, std::size_t size) {
  offset = std::min(offset, text.size());
  size = std::min(size, text.size() - offset);
  Text out{.bytes = text.bytes.substr(offset, size), .trusted = text.trusted, .runs = {}};
  if (text.runs.empty() || size == 0) return out;
  const std::size_t end = offset + size;
  for (auto run = std::ranges::upper_bound(text.runs, offset, {}, &Run::end); run != text.runs.end(); ++run) {
    out.runs.push_back({std::min(run->end, end) - offset, run->trusted});
    if (run->end >= end) break;
  }
  if (out.runs.size() <= 1) {
    out.trusted = out.runs.empty() || out.runs.front().trusted;
    out.runs.clear();
  }
  return out;
}

void TextBuilder::append(std::string_view bytes, bool trusted) {
  if (bytes.empty()) return;
  bytes_.append(bytes);
  if (!runs_.empty() && runs_.back().trusted == trusted) {
    runs_.back().end = bytes_.size();
  } else {
    runs_.push_back({bytes_.size(), trusted});
  }
}

void TextBuilder::append(const Text& text) {
  text.for_each_run([this](std::string_view part, bool trusted) { append(part, trusted); });
}

std::size_t character_size(std::string_view bytes) {
  return std::max<std::size_t>(1, base::utf8_sequence_size(bytes));
}

std::size_t character_count(std::string_view bytes) {
  std::size_t count = 0;
  while (!bytes.empty()) {
    bytes.remove_prefix(character_size(bytes));
    ++count;
  }
  return count;
}

std::size_t offset_of_character(std::string_view bytes, std::size_t index) {
  std::size_t offset = 0;
  for (; index > 0 && offset < bytes.size(); --index) offset += character_size(bytes.substr(offset));
  return offset;
}

}  // namespace stint::chat_template
