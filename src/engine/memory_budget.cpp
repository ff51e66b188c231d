#include "engine/memory_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "platform/base/limits.h"

namespace stint::engine {

namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream file(path);
  return file ? std::string(std::istreambuf_iterator<char>(file), {}) : std::string();
}

// The number after `key` at the start of a line, or at the start of `text` for an empty key.
std::optional<std::uint64_t> number_after(std::string_view text, std::string_view key) {
  for (std::size_t line = 0; line < text.size(); line = std::min(text.find('\n', line), text.size() - 1) + 1) {
    std::string_view rest = text.substr(line);
    if (!rest.starts_with(key)) continue;
    rest.remove_prefix(key.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    std::uint64_t value = 0;
    if (std::from_chars(rest.data(), rest.data() + rest.size(), value).ec != std::errc()) return std::nullopt;
    return value;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> left_in_group(const fs::path& group) {
  const std::optional<std::uint64_t> limit = number_after(read_text(group / "memory.max"), "");
  if (!limit) return std::nullopt;  // "max", or not a group
  const std::uint64_t used = number_after(read_text(group / "memory.current"), "").value_or(0);
  const std::string stat = read_text(group / "memory.stat");
  const std::uint64_t cache =
      number_after(stat, "inactive_file ").value_or(0) + number_after(stat, "active_file ").value_or(0);
  const std::uint64_t held = used - std::min(used, cache);
  return *limit - std::min(*limit, held);
}

std::uint64_t megabytes(std::uint64_t size) {
  return (size + base::kMiB - 1) / base::kMiB;
}

}  // namespace

std::optional<std::uint64_t> available_memory(const std::string& root) {
  const fs::path top(root);
  std::optional<std::uint64_t> available = number_after(read_text(top / "proc/meminfo"), "MemAvailable:");
  if (available) *available *= 1024;

  const std::string groups = read_text(top / "proc/self/cgroup");
  const std::size_t own = groups.find("0::/");
  if (own == std::string::npos) return available;
  const std::string path = groups.substr(own + 4, groups.find('\n', own) - own - 4);
  fs::path relative = fs::path(path).relative_path();
  while (true) {
    const std::optional<std::uint64_t> left = left_in_group(top / "sys/fs/cgroup" / relative);
    if (left) available = std::min(available.value_or(*left), *left);
    if (relative.empty()) return available;
    relative = relative.parent_path();
  }
}

Result<void> check_memory(const MemoryNeed& need, std::optional<std::uint64_t> available) {
  const std::uint64_t sum = need.weights_size + need.kv_size + need.working_size;
  if (!available || sum <= *available) return {};
  return fail(ErrorKind::unavailable,
              fmt::format("The model needs {} MB (weights {}, KV cache {}, working memory {}) but only {} MB are "
                          "available; free some memory, lower engine.max_resident_tokens and engine.context, or choose "
                          "a smaller model.",
                          megabytes(sum), megabytes(need.weights_size), megabytes(need.kv_size),
                          megabytes(need.working_size), megabytes(*available)));
}

}  // namespace stint::engine
