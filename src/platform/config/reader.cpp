#include "platform/config/reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "platform/base/assert.h"
#include "platform/base/utf8.h"
#include "platform/config/nearest_name.h"
#include "platform/config/scalars.h"

namespace stint::config {

namespace {

constexpr std::size_t kShownValueSizeMax = 40;

bool is_absent(const Node& node) {
  return node.kind == Node::Kind::null || (node.kind == Node::Kind::scalar && node.text.empty());
}

// The end of a complaint: `, not "abc"`, or why the value is not shown.
std::string shown_value(const Node& node) {
  if (node.kind == Node::Kind::list) return ", not a list";
  if (node.kind == Node::Kind::map) return ", not a section";
  if (node.is_substituted) return " (its value was filled in by substitution and is not shown)";
  std::string shown;
  std::string_view rest = node.text;
  while (!rest.empty() && shown.size() < kShownValueSizeMax) {
    const std::size_t size = std::max<std::size_t>(1, base::utf8_sequence_size(rest));
    const bool is_control = static_cast<unsigned char>(rest[0]) < 0x20 || rest[0] == 0x7F;
    shown += is_control ? "?" : rest.substr(0, size);
    rest.remove_prefix(size);
  }
  return fmt::format(", not \"{}{}\"", shown, rest.empty() ? "" : "...");
}

std::string demand_with_value(std::string_view demand, const Node& node) {
  return std::string(demand) + shown_value(node);
}

}  // namespace

std::string Section::path_of(std::string_view name) const {
  return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
}

const MapEntry* Section::find(std::string_view name) const {
  if (node_ == nullptr) return nullptr;
  const auto entry = std::ranges::find(node_->entries, name, &MapEntry::key);
  return entry == node_->entries.end() ? nullptr : &*entry;
}

bool Section::has(std::string_view name) const {
  const MapEntry* entry = find(name);
  return entry != nullptr && !is_absent(entry->value);
}

// The entry if the file gives the key a value.
const MapEntry* Section::declare(const Declaration& declaration) {
  if (node_ != nullptr) {
    const bool is_first = reader_->known_[node_].emplace(declaration.name).second;
    STINT_ASSERT(is_first);  // a key has one reader
  }
  if (reader_->describes_) {
    const std::string path = path_of(declaration.name);
    const bool is_first = reader_->described_.insert(path).second;
    STINT_ASSERT(is_first);
    reader_->keys_.push_back(
        {path, std::string(declaration.type), declaration.fallback, std::string(declaration.meaning)});
  }
  const MapEntry* entry = find(declaration.name);
  return entry == nullptr || is_absent(entry->value) ? nullptr : entry;
}

const MapEntry* Section::declare_of_kind(const Declaration& declaration, Node::Kind kind, std::string_view demand) {
  const MapEntry* entry = declare(declaration);
  if (entry == nullptr || entry->value.kind == kind) return entry;
  reject(declaration.name, demand_with_value(demand, entry->value));
  return nullptr;
}

void Section::reject(std::string_view name, std::string_view demand) {
  const MapEntry* entry = find(name);
  reader_->add_problem(entry == nullptr ? line_ : entry->line, fmt::format("{} {}", path_of(name), demand));
}

template <typename T, typename Parse>
std::optional<T> Section::scalar(const Declaration& declaration, const Parse& parse) {
  const MapEntry* entry = declare(declaration);
  if (entry == nullptr) return std::nullopt;
  Parsed<T> value = parse(entry->value.kind == Node::Kind::scalar ? std::string_view(entry->value.text) : "");
  if (value && entry->value.kind == Node::Kind::scalar) return *std::move(value);
  reject(declaration.name, demand_with_value(value ? "must be text" : value.error(), entry->value));
  return std::nullopt;
}

std::optional<std::string> Section::text(const Declaration& declaration) {
  return scalar<std::string>(declaration, [](std::string_view text) { return Parsed<std::string>(text); });
}

std::string Section::string(std::string_view name, const StringSpec& spec) {
  return text({name, "text", std::string(spec.fallback), spec.meaning}).value_or(std::string(spec.fallback));
}

std::optional<std::string> Section::optional_string(std::string_view name, std::string_view meaning) {
  return text({name, "text", "", meaning});
}

std::string Section::required_string(std::string_view name, std::string_view meaning) {
  std::optional<std::string> value = text({name, "text, required", "", meaning});
  const MapEntry* entry = find(name);
  const bool is_told = entry != nullptr && (entry->value.is_unresolved || !is_absent(entry->value));
  if (!value && !is_told) reject(name, "is required");
  return std::move(value).value_or("");
}

bool Section::boolean(std::string_view name, const BooleanSpec& spec) {
  const Declaration declaration{name, "true or false", spec.fallback ? "true" : "false", spec.meaning};
  return scalar<bool>(declaration, parse_boolean).value_or(spec.fallback);
}

std::uint64_t Section::u64(std::string_view name, const NumberSpec<std::uint64_t>& spec) {
  const auto parse = [&](std::string_view text) { return parse_whole_number(text, spec.min, spec.max); };
  return scalar<std::uint64_t>({name, "whole number", std::to_string(spec.fallback), spec.meaning}, parse)
      .value_or(spec.fallback);
}

std::uint32_t Section::u32(std::string_view name, const NumberSpec<std::uint32_t>& spec) {
  return static_cast<std::uint32_t>(
      u64(name, {.fallback = spec.fallback, .min = spec.min, .max = spec.max, .meaning = spec.meaning}));
}

std::optional<std::uint32_t> Section::optional_u32(std::string_view name, const NumberSpec<std::uint32_t>& spec) {
  const auto parse = [&](std::string_view text) { return parse_whole_number(text, spec.min, spec.max); };
  const auto value = scalar<std::uint64_t>({name, "whole number", "", spec.meaning}, parse);
  return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

double Section::ratio(std::string_view name, const RatioSpec& spec) {
  return scalar<double>({name, "share", fmt::format("{}", spec.fallback), spec.meaning}, parse_ratio)
      .value_or(spec.fallback);
}

base::Duration Section::duration(std::string_view name, const DurationSpec& spec) {
  const auto parse = [&](std::string_view text) { return parse_duration(text, spec.min, spec.max); };
  return scalar<base::Duration>({name, "duration", format_duration(spec.fallback), spec.meaning}, parse)
      .value_or(spec.fallback);
}

std::uint64_t Section::byte_size(std::string_view name, const NumberSpec<std::uint64_t>& spec) {
  const auto parse = [&](std::string_view text) { return parse_byte_size(text, spec.min, spec.max); };
  return scalar<std::uint64_t>({name, "size", format_byte_size(spec.fallback), spec.meaning}, parse)
      .value_or(spec.fallback);
}

std::size_t Section::choice_index(std::string_view name, std::span<const std::string_view> names, std::size_t fallback,
                                  std::string_view meaning) {
  STINT_ASSERT(fallback < names.size());
  const auto parse = [&](std::string_view text) -> Parsed<std::size_t> {
    const auto found = std::ranges::find(names, text);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    return std::unexpected(fmt::format("must be one of {}", fmt::join(names, ", ")));
  };
  const std::string type = fmt::format("one of {}", fmt::join(names, ", "));
  return scalar<std::size_t>({name, type, std::string(names[fallback]), meaning}, parse).value_or(fallback);
}

std::vector<std::string> Section::strings(std::string_view name, std::string_view meaning) {
  const MapEntry* entry =
      declare_of_kind({name, "list of texts", "", meaning}, Node::Kind::list, "must be a list such as [a, b]");
  std::vector<std::string> values;
  if (entry == nullptr) return values;
  for (std::size_t i = 0; i < entry->value.items.size(); ++i) {
    const Node& item = entry->value.items[i];
    if (item.kind == Node::Kind::scalar && !item.text.empty()) {
      values.push_back(item.text);
    } else {
      reader_->add_problem(item.line, fmt::format("{}[{}] must be text and not empty", path_of(name), i));
    }
  }
  return values;
}

Section Section::section(std::string_view name) {
  const std::string path = path_of(name);
  const MapEntry* entry = find(name);
  if (node_ != nullptr) reader_->known_[node_].emplace(name);
  if (entry == nullptr || is_absent(entry->value)) return {*reader_, nullptr, path, line_};
  if (entry->value.kind == Node::Kind::map) return {*reader_, reader_->opened(entry->value), path, entry->line};
  reject(name, demand_with_value("must be a section with keys of its own", entry->value));
  return {*reader_, nullptr, path, entry->line};
}

void Section::each_section(std::string_view name, std::string_view meaning, const std::function<void(Section)>& read) {
  const MapEntry* entry =
      declare_of_kind({name, "list of sections", "", meaning}, Node::Kind::list, "must be a list of sections");
  if (reader_->describes_) read({*reader_, nullptr, path_of(name) + "[]", 0});
  if (entry == nullptr) return;
  for (std::size_t i = 0; i < entry->value.items.size(); ++i) {
    const Node& item = entry->value.items[i];
    const std::string path = fmt::format("{}[{}]", path_of(name), i);
    if (item.kind == Node::Kind::map) {
      read({*reader_, reader_->opened(item), path, item.line});
    } else {
      reader_->add_problem(item.line, fmt::format("{} must be a section with keys of its own", path));
    }
  }
}

void Section::each_named_section(std::string_view name, std::string_view meaning,
                                 const std::function<void(const std::string&, Section)>& read) {
  const MapEntry* entry = declare_of_kind({name, "sections by name", "", meaning}, Node::Kind::map,
                                          "must hold sections, each under a name of its own");
  if (reader_->describes_) read("NAME", {*reader_, nullptr, path_of(name) + ".NAME", 0});
  if (entry == nullptr) return;
  for (const MapEntry& named : entry->value.entries) {
    const std::string path = fmt::format("{}.{}", path_of(name), named.key);
    if (named.value.kind == Node::Kind::map || named.value.kind == Node::Kind::null) {
      read(named.key, {*reader_, reader_->opened(named.value), path, named.line});
    } else {
      reader_->add_problem(named.line, fmt::format("{} must be a section with keys of its own", path));
    }
  }
}

Reader::Reader(Document document) : document_(std::move(document)) {}

Reader Reader::describing() {
  return Reader(Describe{});
}

Section Reader::root() {
  return {*this, opened(document_.root), "", 1};
}

// From here on the keys of this map that nobody declares are unknown.
const Node* Reader::opened(const Node& node) {
  known_.try_emplace(&node);
  return &node;
}

void Reader::add_problem(std::uint32_t line, std::string message) {
  if (describes_ || document_.problems.size() >= kProblemCountMax) return;
  document_.problems.push_back({line, std::move(message)});
}

void Reader::report_unknown_keys(const Node& node, const std::string& path) {
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    report_unknown_keys(node.items[i], fmt::format("{}[{}]", path, i));
  }
  const auto known = known_.find(&node);
  for (const MapEntry& entry : node.entries) {
    if (document_.problems.size() >= kProblemCountMax) return;
    const std::string entry_path = path.empty() ? entry.key : fmt::format("{}.{}", path, entry.key);
    const bool is_unknown = known != known_.end() && !known->second.contains(entry.key);
    if (!is_unknown) {
      report_unknown_keys(entry.value, entry_path);
      continue;
    }
    const std::string_view nearest = nearest_name(entry.key, known->second);
    const std::string advice = nearest.empty() ? fmt::format("the keys here are {}", fmt::join(known->second, ", "))
                                               : fmt::format("did you mean {}?", nearest);
    add_problem(entry.line, fmt::format("{} is not a known key; {}", entry_path, advice));
  }
}

std::vector<std::string> Reader::problems() {
  if (!std::exchange(finished_, true)) report_unknown_keys(document_.root, "");
  std::ranges::sort(document_.problems, {},
                    [](const Problem& problem) { return std::tie(problem.line, problem.message); });
  std::vector<std::string> lines;
  for (const Problem& problem : document_.problems) {
    lines.push_back(fmt::format("{}:{}: {}", document_.file_name, problem.line, problem.message));
  }
  return lines;
}

Result<void> Reader::finish() {
  const std::vector<std::string> lines = problems();
  if (lines.empty()) return {};
  return fail(ErrorKind::invalid_request, fmt::format("{}", fmt::join(lines, "\n")));
}

}  // namespace stint::config
