#include "platform/config/parse_yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <tuple>
#include <utility>

#include "platform/base/utf8.h"

namespace stint::config {

namespace {

// Thrown out of yaml-cpp's callbacks to stop it early; never leaves parse_yaml.
struct Refusal {
  std::uint32_t line;
  std::string message;
};

// Builds the tree from yaml-cpp's events. Its own node graph would merge duplicate keys and follow aliases.
class TreeBuilder final : public YAML::EventHandler {
 public:
  Node take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override { move_to(mark); }
  void OnDocumentEnd() override {}
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    move_to(mark);
    refuse("is an alias: anchors and aliases are not supported, repeat the value");
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    // The mark of a value that is not there is that of the next token, lines below: the key's line is the right one.
    const bool has_key = !open_.empty() && open_.back().has_key;
    if (!has_key) move_to(mark);
    refuse_anchor(anchor);
    add(node_here(Node::Kind::null));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    move_to(mark);
    refuse_anchor(anchor);
    refuse_tag(tag);
    if (expects_key()) {
      open_.back().key = MapEntry{value, line_, {}};
      open_.back().has_key = true;
      refuse_key(value);
      return;
    }
    if (value.find('\0') != std::string::npos) refuse("holds a NUL character: remove it");
    Node scalar = node_here(Node::Kind::scalar);
    scalar.text = value;
    add(std::move(scalar));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Node::Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Node::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override {
    refuse_duplicate_keys(open_.back().node);
    close();
  }

 private:
  struct Open {
    Node node;
    MapEntry key;  // of a map: the key whose value comes next
    bool has_key = false;
  };

  // yaml-cpp counts lines from 0 and gives -1 where it knows none.
  void move_to(const YAML::Mark& mark) {
    if (mark.line >= 0) line_ = static_cast<std::uint32_t>(mark.line) + 1;
  }

  Node node_here(Node::Kind kind) const {
    Node node;
    node.kind = kind;
    node.line = line_;
    return node;
  }

  bool expects_key() const {
    return !open_.empty() && open_.back().node.kind == Node::Kind::map && !open_.back().has_key;
  }

  void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    move_to(mark);
    refuse_anchor(anchor);
    refuse_tag(tag);
    if (expects_key()) refuse("has a list or a map as a key: keys are plain words; quote values that begin with {");
    if (open_.size() >= kDepthMax) refuse(fmt::format("is nested more than {} levels deep", kDepthMax));
    open_.push_back({.node = node_here(kind), .key = {}});
  }

  void close() {
    Node node = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(node));
  }

  void add(Node node) {
    if (++node_count_ > kNodeCountMax) refuse(fmt::format("is the {}th value: that is too many", node_count_));
    if (expects_key()) refuse("has an entry without a key");
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == Node::Kind::list) {
      parent.node.items.push_back(std::move(node));
      return;
    }
    parent.key.value = std::move(node);
    parent.node.entries.push_back(std::move(parent.key));
    parent.has_key = false;
  }

  void refuse_key(std::string_view key) {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    const bool too_long = key.size() > kKeySizeMax;
    const bool has_control = std::ranges::any_of(key, is_control);
    if (!too_long && !has_control) return;
    open_.back().has_key = false;  // the message names the map, not the key
    refuse(too_long ? fmt::format("has a key of more than {} bytes: shorten it", kKeySizeMax)
                    : std::string("has a control character in a key: remove it"));
  }

  void refuse_anchor(YAML::anchor_t anchor) const {
    if (anchor != YAML::NullAnchor) refuse("has an anchor: anchors and aliases are not supported, repeat the value");
  }

  // "?" and "!" are what yaml-cpp gives plain and quoted scalars that carry no tag.
  void refuse_tag(const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!") refuse("has a YAML tag: tags are not supported, remove it");
  }

  // Sorted rather than hashed: no choice of keys makes it slow.
  void refuse_duplicate_keys(const Node& map) {
    std::vector<const MapEntry*> sorted;
    sorted.reserve(map.entries.size());
    for (const MapEntry& entry : map.entries) sorted.push_back(&entry);
    const auto key = [](const MapEntry* entry) -> const std::string& { return entry->key; };
    const auto key_and_line = [](const MapEntry* entry) { return std::tie(entry->key, entry->line); };
    std::ranges::sort(sorted, {}, key_and_line);
    const auto twin = std::ranges::adjacent_find(sorted, {}, key);
    if (twin == sorted.end()) return;
    const MapEntry& first = **twin;
    const MapEntry& second = **(twin + 1);
    line_ = second.line;
    open_.back().key = second;
    open_.back().has_key = true;
    refuse(fmt::format("is given twice, first on line {}: keep one of them", first.line));
  }

  [[noreturn]] void refuse(std::string_view what) const {
    const std::string place = path();
    throw Refusal{line_, fmt::format("{} {}", place.empty() ? "the file" : place, what)};
  }

  std::string path() const {
    std::string path;
    for (const Open& level : open_) {
      if (level.node.kind == Node::Kind::list) {
        path += fmt::format("[{}]", level.node.items.size());
      } else if (level.has_key) {
        path += fmt::format("{}{}", path.empty() ? "" : ".", level.key.key);
      }
    }
    return path;
  }

  Node root_;
  std::vector<Open> open_;
  std::uint32_t line_ = 1;
  std::size_t node_count_ = 0;
};

std::uint32_t line_at(std::string_view text, std::size_t offset) {
  return 1 + static_cast<std::uint32_t>(std::ranges::count(text.substr(0, offset), '\n'));
}

// yaml-cpp guesses other encodings from the first bytes and lets malformed ones through.
void refuse_unreadable_bytes(std::string_view text) {
  const std::size_t bad = std::min(text.find('\0'), base::utf8_valid_size(text));
  if (bad < text.size()) throw Refusal{line_at(text, bad), "the file is not UTF-8 text: save it as UTF-8"};
}

Node parse_tree(std::string_view text) {
  refuse_unreadable_bytes(text);
  std::istringstream stream{std::string(text)};
  YAML::Parser parser(stream);
  TreeBuilder builder;
  if (!parser.HandleNextDocument(builder)) return {};
  Node root = builder.take_root();
  TreeBuilder rest;
  if (parser.HandleNextDocument(rest)) {
    throw Refusal{rest.take_root().line, "the file holds a second document: keep everything before the line `---`"};
  }
  if (root.kind != Node::Kind::map && root.kind != Node::Kind::null) {
    throw Refusal{root.line, "the file must hold sections, each as `name:` followed by its settings"};
  }
  return root;
}

}  // namespace

Result<Document> parse_yaml(std::string_view text, std::string file_name) {
  if (text.size() > kFileSizeMax) {
    return fail(ErrorKind::too_large, fmt::format("{}: the file has {} bytes, more than the {} that are read",
                                                  file_name, text.size(), kFileSizeMax));
  }
  const auto wrong = [&](std::uint32_t line, std::string_view message) {
    return fail(ErrorKind::invalid_request, fmt::format("{}:{}: {}", file_name, line, message));
  };
  try {
    Document document;
    document.root = parse_tree(text);
    document.file_name = std::move(file_name);
    return document;
  } catch (const Refusal& refusal) {
    return wrong(refusal.line, refusal.message);
  } catch (const YAML::Exception& error) {
    const std::uint32_t line = error.mark.is_null() ? 1 : static_cast<std::uint32_t>(error.mark.line) + 1;
    return wrong(line, fmt::format("is not valid YAML: {}", error.msg));
  }
}

}  // namespace stint::config
