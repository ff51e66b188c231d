// Reader and Section: how a module reads its settings and at the same time declares them. Every call names a key, its
// fallback and its meaning in one line, so that the list of all keys is the code itself.
//
//   EngineSettings read_engine_settings(config::Section section) {
//     EngineSettings settings;
//     settings.threads = section.u32("threads", {.fallback = 0, .max = 256, .meaning = "Kernel threads; 0 is one a
//     core"}); settings.model = section.string("model", {.fallback = "smollm2", .meaning = "Path or catalogue name of
//     the model"}); return settings;
//   }
//
// Faulty values are recorded and the fallback returned, so that Reader::finish reports every problem of a file at once,
// each as "file:line: key.path ...". An empty value (`key:`, `""`, `${VAR:-}` of an unset VAR) counts as absent.
// Not thread-safe; sections borrow from their Reader, which owns the document. Limits in document.h.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/clock.h"
#include "platform/base/result.h"
#include "platform/config/document.h"

namespace stint::config {

class Reader;

struct StringSpec {
  std::string_view fallback{};
  std::string_view meaning{};
};

struct BooleanSpec {
  bool fallback = false;
  std::string_view meaning{};
};

template <typename T>
struct NumberSpec {
  T fallback{};
  T min = T{};
  T max = std::numeric_limits<T>::max();
  std::string_view meaning{};
};

struct RatioSpec {
  double fallback = 0;
  std::string_view meaning{};
};

struct DurationSpec {
  base::Duration fallback{};
  base::Duration min{};
  base::Duration max = std::chrono::hours(24 * 365);
  std::string_view meaning{};
};

template <typename Enum>
struct ChoiceSpec {
  Enum fallback{};
  std::string_view meaning{};
};

// One declared key, for `stint check --keys` and for the test that every key is documented. Elements of lists appear as
// `keys[].name`, members of a map with free names as `models.NAME.to`.
struct KeyDescription {
  std::string path;
  std::string type;
  std::string fallback;  // empty if the key has none
  std::string meaning;
};

class Section {
 public:
  std::string string(std::string_view name, const StringSpec& spec);
  std::optional<std::string> optional_string(std::string_view name, std::string_view meaning);
  // Recorded as a problem, and "" returned, if absent.
  std::string required_string(std::string_view name, std::string_view meaning);

  // `true` or `false`, no other spelling.
  bool boolean(std::string_view name, const BooleanSpec& spec);

  // Decimal digits without leading zeros, within [min, max].
  std::uint32_t u32(std::string_view name, const NumberSpec<std::uint32_t>& spec);
  std::uint64_t u64(std::string_view name, const NumberSpec<std::uint64_t>& spec);
  std::optional<std::uint32_t> optional_u32(std::string_view name, const NumberSpec<std::uint32_t>& spec);

  // `0.25` or `25%`, within [0, 1].
  double ratio(std::string_view name, const RatioSpec& spec);
  // A whole number with its unit: 250ms 30s 5m 2h 7d; also `0`.
  base::Duration duration(std::string_view name, const DurationSpec& spec);
  // Bytes: a whole number with its unit, B kB MB GB (powers of 1000) or KiB MiB GiB (powers of 1024); also `0`.
  std::uint64_t byte_size(std::string_view name, const NumberSpec<std::uint64_t>& spec);

  // One of `names`; returns the enumerator with the same position. Enum must count from 0 without gaps.
  template <typename Enum>
  Enum choice(std::string_view name, std::span<const std::string_view> names, const ChoiceSpec<Enum>& spec) {
    return static_cast<Enum>(choice_index(name, names, static_cast<std::size_t>(spec.fallback), spec.meaning));
  }

  std::vector<std::string> strings(std::string_view name, std::string_view meaning);

  // A sub-section; empty if absent. May be opened by several modules; each key in it has one reader.
  Section section(std::string_view name);
  // Calls `read` for each element of a list of sections. A Reader that describes calls it once, with an empty section.
  void each_section(std::string_view name, std::string_view meaning, const std::function<void(Section)>& read);
  // The same for a map whose keys the user chooses: `read(key, section)`.
  void each_named_section(std::string_view name, std::string_view meaning,
                          const std::function<void(const std::string&, Section)>& read);

  // Records that the value of `name` will not do: "file:line: path must be host:port". `demand` completes the sentence
  // after the path and must not hold the value, which may be a secret.
  void reject(std::string_view name, std::string_view demand);

  // True if the file gives `name` a value.
  bool has(std::string_view name) const;
  // "models.fast"; empty at the root.
  const std::string& path() const { return path_; }

 private:
  friend class Reader;
  struct Declaration {
    std::string_view name;
    std::string_view type;
    std::string fallback;
    std::string_view meaning;
  };

  Section(Reader& reader, const Node* node, std::string path, std::uint32_t line)
      : reader_(&reader), node_(node), path_(std::move(path)), line_(line) {}

  const MapEntry* find(std::string_view name) const;
  const MapEntry* declare(const Declaration& declaration);
  const MapEntry* declare_of_kind(const Declaration& declaration, Node::Kind kind, std::string_view demand);
  std::optional<std::string> text(const Declaration& declaration);
  template <typename T, typename Parse>
  std::optional<T> scalar(const Declaration& declaration, const Parse& parse);
  std::size_t choice_index(std::string_view name, std::span<const std::string_view> names, std::size_t fallback,
                           std::string_view meaning);
  std::string path_of(std::string_view name) const;

  Reader* reader_;
  const Node* node_;  // null if the file does not have this section
  std::string path_;
  std::uint32_t line_;
};

class Reader {
 public:
  explicit Reader(Document document);
  // A Reader without a file: reading settings from it lists their keys.
  static Reader describing();

  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  Section root();

  // After all modules have read: adds unknown keys and returns every problem as one Error, a line each, in file order.
  Result<void> finish();
  // The same, one by one, as "file:line: ...".
  std::vector<std::string> problems();

  // Of a describing Reader: every declared key in order of declaration.
  const std::vector<KeyDescription>& keys() const { return keys_; }

 private:
  friend class Section;
  struct Describe {};
  explicit Reader(Describe) : describes_(true) {}

  const Node* opened(const Node& node);
  void add_problem(std::uint32_t line, std::string message);
  void report_unknown_keys(const Node& node, const std::string& path);

  bool describes_ = false;
  bool finished_ = false;
  Document document_;
  std::map<const Node*, std::set<std::string, std::less<>>> known_;  // declared names of each map that was opened
  std::set<std::string, std::less<>> described_;
  std::vector<KeyDescription> keys_;
};

}  // namespace stint::config
