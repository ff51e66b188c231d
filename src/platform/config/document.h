// Document: a checked configuration file as a tree. Every node knows its line, no map has a key twice, and depth, size
// and node count are bounded. A plain value; immutable once read; safe to share between threads then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace stint::config {

inline constexpr std::size_t kFileSizeMax = 1024 * 1024;
inline constexpr std::size_t kDepthMax = 32;
inline constexpr std::size_t kNodeCountMax = 65'536;
inline constexpr std::size_t kKeySizeMax = 256;
inline constexpr std::size_t kProblemCountMax = 50;  // more are not reported: the first few explain the rest

struct MapEntry;

struct Node {
  enum class Kind : std::uint8_t { null, scalar, list, map };

  Kind kind = Kind::null;
  bool is_substituted = false;    // the text holds something from outside the file: it is never shown
  bool is_unresolved = false;     // a substitution failed: the problem is told already and the text is empty
  std::uint32_t line = 0;         // 1-based
  std::string text;               // scalar
  std::vector<Node> items;        // list
  std::vector<MapEntry> entries;  // map, in the order of the file
};

struct MapEntry {
  std::string key;
  std::uint32_t line = 0;
  Node value;
};

// Something the user must change. `message` starts with the key's path: "engine.threads must be ...".
struct Problem {
  std::uint32_t line = 0;
  std::string message;
};

struct Document {
  std::string file_name;          // as the user wrote it; opens every message
  Node root;                      // a map, or null for an empty file
  std::vector<Problem> problems;  // of substitution; Reader::finish reports them with its own
};

}  // namespace stint::config
