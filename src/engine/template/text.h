// Text: a piece of UTF-8 that remembers which of its bytes the template wrote (trusted) and which came from the
// request. Text borrows its bytes (from the template, the request, or the Arena of a render); TextBuilder owns what it
// collects. Neither is thread-safe while being changed. Positions in characters are code points; invalid bytes count as
// one each.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stint::chat_template {

// The bytes of one provenance, from where the run before ends.
struct Run {
  std::size_t end = 0;
  bool trusted = false;
};

struct Text {
  std::string_view bytes;
  bool trusted = true;    // of all bytes, when runs is empty
  std::vector<Run> runs;  // neighbours differ; the last ends at bytes.size()

  std::size_t size() const { return bytes.size(); }
  // Calls visit(part, trusted) for every run, in order.
  template <typename Visit>
  void for_each_run(Visit visit) const {
    if (runs.empty()) return visit(bytes, trusted);
    std::size_t offset = 0;
    for (const Run& run : runs) {
      visit(bytes.substr(offset, run.end - offset), run.trusted);
      offset = run.end;
    }
  }
};

// The bytes [offset, offset + size) with their provenance; size is cut to what there is. O(log runs + runs of the
// slice).
Text slice(const Text& text, std::size_t offset, std::size_t size);

class TextBuilder {
 public:
  void append(std::string_view bytes, bool trusted);
  void append(const Text& text);

  std::size_t size() const { return bytes_.size(); }
  // Gives the bytes away; the builder is empty afterwards.
  std::string take_bytes() { return std::exchange(bytes_, {}); }
  std::vector<Run> take_runs() { return std::exchange(runs_, {}); }

 private:
  std::string bytes_;
  std::vector<Run> runs_;
};

std::size_t character_count(std::string_view bytes);
// Byte offset of the character with this index; bytes.size() if there are fewer.
std::size_t offset_of_character(std::string_view bytes, std::size_t index);
// Bytes of the character at the start of `bytes`, which is not empty.
std::size_t character_size(std::string_view bytes);

}  // namespace stint::chat_template
