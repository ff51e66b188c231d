#include "engine/template/text_operations.h"

#include <algorithm>
#include <array>
#include <functional>

namespace stint::chat_template {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}
char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

// One character that Python's str.isspace() holds for.
bool is_space(std::string_view character) {
  static constexpr std::array<std::string_view, 20> kWide{
      "\u0085", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
      "\u2007", "\u2008", "\u2009", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\u3000"};
  if (character.size() == 1) {
    const char c = character.front();
    return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
  }
  return std::ranges::find(kWide, character) != kWide.end();
}

std::size_t last_character_size(std::string_view bytes) {
  for (std::size_t size = std::min<std::size_t>(4, bytes.size()); size > 1; --size) {
    if (character_size(bytes.substr(bytes.size() - size)) == size) return size;
  }
  return 1;
}

// Same runs, other bytes: `change` is given each byte and the one before it.
Value map_bytes(const Text& text, Arena& arena, const std::function<char(char byte, char before)>& change) {
  std::string bytes(text.bytes);
  char before = '\0';
  for (char& byte : bytes) before = std::exchange(byte, change(byte, before));
  Text mapped = text;
  mapped.bytes = arena.text(bytes, true).bytes();
  return arena.text(std::move(mapped));
}

}  // namespace

Text strip(const Text& text, const Text* characters, bool left, bool right) {
  const auto matches = [&](std::string_view character) {
    return characters == nullptr ? is_space(character) : characters->bytes.find(character) != std::string_view::npos;
  };
  std::size_t begin = 0;
  std::size_t end = text.size();
  while (left && begin < end) {
    const std::size_t size = character_size(text.bytes.substr(begin));
    if (!matches(text.bytes.substr(begin, size))) break;
    begin += size;
  }
  while (right && begin < end) {
    const std::size_t size = last_character_size(text.bytes.substr(begin, end - begin));
    if (!matches(text.bytes.substr(end - size, size))) break;
    end -= size;
  }
  return slice(text, begin, end - begin);
}

Value to_upper(const Text& text, Arena& arena) {
  return map_bytes(text, arena, [](char byte, char) { return upper(byte); });
}

Value to_lower(const Text& text, Arena& arena) {
  return map_bytes(text, arena, [](char byte, char) { return lower(byte); });
}

Value capitalize(const Text& text, Arena& arena) {
  bool first = true;
  return map_bytes(text, arena,
                   [&](char byte, char) { return std::exchange(first, false) ? upper(byte) : lower(byte); });
}

Value to_title(const Text& text, bool filter, Arena& arena) {
  return map_bytes(text, arena, [filter](char byte, char before) {
    const bool starts =
        filter ? std::string_view("-({[< \t\n\r\f\v\0", 12).find(before) != std::string_view::npos : !is_letter(before);
    return starts ? upper(byte) : lower(byte);
  });
}

Value replace(const Text& text, const Text& from, const Text& to, std::int64_t count_max, Arena& arena) {
  arena.charge_steps(text.size() / 16);
  TextBuilder out;
  const auto append = [&](const Text& part) {
    arena.charge_bytes(part.size() + part.runs.size() * sizeof(Run));
    out.append(part);
  };
  std::size_t copied = 0;
  if (from.size() == 0) {
    // As in Python: before every character and at the end.
    while (count_max-- > 0) {
      append(to);
      if (copied >= text.size()) break;
      const std::size_t size = character_size(text.bytes.substr(copied));
      append(slice(text, copied, size));
      copied += size;
    }
    append(slice(text, copied, text.size()));
    return arena.text(std::move(out));
  }
  for (; count_max > 0; --count_max) {
    const std::size_t found = text.bytes.find(from.bytes, copied);
    if (found == std::string_view::npos) break;
    append(slice(text, copied, found - copied));
    append(to);
    copied = found + from.size();
  }
  append(slice(text, copied, text.size()));
  return arena.text(std::move(out));
}

Value split(const Text& text, const Text* separator, std::int64_t count_max, Arena& arena) {
  arena.charge_steps(text.size() / 16);
  std::vector<Value> parts;
  if (separator != nullptr) {
    if (separator->size() == 0) throw TemplateError("split needs a separator that is not empty");
    std::size_t start = 0;
    for (; count_max > 0; --count_max) {
      const std::size_t found = text.bytes.find(separator->bytes, start);
      if (found == std::string_view::npos) break;
      parts.push_back(arena.text(slice(text, start, found - start)));
      start = found + separator->size();
    }
    parts.push_back(arena.text(slice(text, start, text.size())));
    return arena.list(std::move(parts));
  }
  Text rest = strip(text, nullptr, true, false);
  while (rest.size() > 0) {
    std::size_t end = 0;
    while (end < rest.size() && count_max > 0) {
      const std::size_t size = character_size(rest.bytes.substr(end));
      if (is_space(rest.bytes.substr(end, size))) break;
      end += size;
    }
    if (count_max-- <= 0) {
      parts.push_back(arena.text(rest));
      break;
    }
    parts.push_back(arena.text(slice(rest, 0, end)));
    rest = strip(slice(rest, end, rest.size()), nullptr, true, false);
  }
  return arena.list(std::move(parts));
}

Value split_lines(const Text& text, bool keep_ends, Arena& arena) {
  arena.charge_steps(text.size() / 16);
  std::vector<Value> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.bytes.find_first_of("\r\n", start), text.size());
    const std::size_t next = text.bytes.substr(end).starts_with("\r\n") ? end + 2 : std::min(end + 1, text.size());
    lines.push_back(arena.text(slice(text, start, (keep_ends ? next : end) - start)));
    start = next;
  }
  return arena.list(std::move(lines));
}

Value indent(const Text& text, const Text& prefix, bool first, bool blank, Arena& arena) {
  arena.charge_steps(text.size() / 16);
  TextBuilder out;
  bool indented = first;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t newline = std::min(text.bytes.find('\n', start), text.size());
    const std::size_t next = std::min(newline + 1, text.size());
    if (indented && (blank || newline > start)) {
      arena.charge_bytes(prefix.size());
      out.append(prefix);
    }
    out.append(slice(text, start, next - start));
    if (newline == text.size()) break;
    start = next;
    indented = true;
  }
  return arena.text(std::move(out));
}

}  // namespace stint::chat_template
