#include "platform/config/substitution.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "platform/base/utf8.h"
#include "platform/config/scalars.h"

namespace stint::config {

namespace {

bool is_variable_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_name_letter = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && is_letter(name[0]) && std::ranges::all_of(name, is_name_letter);
}

bool is_text(std::string_view value) {
  return value.find('\0') == std::string_view::npos && base::utf8_valid_size(value) == value.size();
}

// What stands between `${` and `}`; the error is worded to follow the key's path.
Parsed<std::string> resolve(std::string_view reference, const Environment& environment) {
  constexpr std::string_view kFile = "file:";
  if (reference.starts_with(kFile)) {
    const std::string path(reference.substr(kFile.size()));
    Result<std::string> text = environment.read_file(path, kSubstitutedFileSizeMax);
    if (!text) return std::unexpected(fmt::format("cannot be filled in: {}", text.error().message));
    if (text->ends_with('\n')) {
      text->pop_back();
      if (text->ends_with('\r')) text->pop_back();
    }
    return *std::move(text);
  }
  const std::size_t separator = reference.find(":-");
  const std::string name(reference.substr(0, separator));
  if (!is_variable_name(name)) {
    return std::unexpected(
        "has a malformed substitution: write ${VAR}, ${VAR:-default}, ${file:/path}, or $$ for a `$`");
  }
  std::optional<std::string> value = environment.variable(name);
  if (separator != std::string_view::npos) {
    return value && !value->empty() ? *std::move(value) : std::string(reference.substr(separator + 2));
  }
  if (value) return *std::move(value);
  return std::unexpected(fmt::format(
      "needs the environment variable {0}, which is not set: set it, or write ${{{0}:-default}} to do without", name));
}

class Substitution {
 public:
  Substitution(Document& document, const Environment& environment) : document_(document), environment_(environment) {}

  void visit(Node& node, std::uint32_t line, const std::string& path) {
    if (node.kind == Node::Kind::scalar) fill(node, line, path);
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      visit(node.items[i], node.items[i].line, fmt::format("{}[{}]", path, i));
    }
    for (MapEntry& entry : node.entries) {
      visit(entry.value, entry.line, path.empty() ? entry.key : fmt::format("{}.{}", path, entry.key));
    }
  }

 private:
  void fill(Node& scalar, std::uint32_t line, const std::string& path) {
    if (scalar.text.find('$') == std::string::npos) return;
    Parsed<std::string> text = expand(scalar.text, scalar.is_substituted);
    if (text) {
      scalar.text = *std::move(text);
      return;
    }
    scalar.text.clear();
    scalar.is_unresolved = true;
    if (document_.problems.size() < kProblemCountMax) document_.problems.push_back({line, path + ' ' + text.error()});
  }

  Parsed<std::string> expand(std::string_view text, bool& is_substituted) {
    std::string out;
    while (!text.empty()) {
      const std::size_t dollar = std::min(text.find('$'), text.size());
      out += text.substr(0, dollar);
      text.remove_prefix(dollar);
      if (text.starts_with("$$")) {
        out += '$';
        text.remove_prefix(2);
      } else if (text.starts_with("${")) {
        const std::size_t end = text.find('}');
        if (end == std::string_view::npos) return std::unexpected("has a `${` without its `}`: write $$ for a `$`");
        Parsed<std::string> value = resolve(text.substr(2, end - 2), environment_);
        if (!value) return value;
        if (!is_text(*value)) return std::unexpected("is filled in with something that is not UTF-8 text");
        filled_size_ += value->size();
        if (filled_size_ > kSubstitutedSizeMax) return std::unexpected("would make the substituted values too large");
        out += *value;
        is_substituted = true;
        text.remove_prefix(end + 1);
      } else if (!text.empty()) {
        out += '$';
        text.remove_prefix(1);
      }
    }
    return out;
  }

  Document& document_;
  const Environment& environment_;
  std::size_t filled_size_ = 0;
};

}  // namespace

void substitute(Document& document, const Environment& environment) {
  Substitution(document, environment).visit(document.root, 1, "");
}

}  // namespace stint::config
