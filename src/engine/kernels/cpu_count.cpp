#include "engine/kernels/cpu_count.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>

namespace stint::kernels {

namespace {

std::optional<std::string> read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::optional<std::uint64_t> take_number(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

// The path of this process's group in the hierarchy whose line of /proc/self/cgroup has `controller` ("" for v2).
std::optional<std::string> group_path(std::string_view controller) {
  const std::optional<std::string> text = read_text("/proc/self/cgroup");
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const bool found =
        controller.empty() ? controllers.empty() : (controllers == controller || controllers == "cpu,cpuacct");
    if (found) return std::string(line.substr(second + 1));
  }
  return std::nullopt;
}

std::uint32_t limit_of_group(const std::filesystem::path& group, bool v2) {
  if (v2) return parse_cpu_max(read_text(group / "cpu.max").value_or(""));
  const std::string quota = read_text(group / "cpu.cfs_quota_us").value_or("");
  const std::string period = read_text(group / "cpu.cfs_period_us").value_or("");
  return parse_cpu_max(quota + " " + period);
}

// The tightest limit of the group and of all above it; 0: none.
std::uint32_t limit_of_hierarchy(const std::filesystem::path& root, std::string_view controller) {
  const bool v2 = controller.empty();
  std::filesystem::path relative = std::filesystem::path(group_path(controller).value_or("/")).relative_path();
  std::uint32_t limit = 0;
  for (;;) {
    const std::uint32_t here = limit_of_group(root / relative, v2);
    if (here != 0) limit = limit == 0 ? here : std::min(limit, here);
    if (relative.empty()) return limit;
    relative = relative.parent_path();
  }
}

std::uint32_t affinity_count() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return static_cast<std::uint32_t>(CPU_COUNT(&set));
  return std::thread::hardware_concurrency();
}

}  // namespace

std::uint32_t parse_cpu_max(std::string_view text) {
  const std::optional<std::uint64_t> quota_us = take_number(text);
  const std::optional<std::uint64_t> period_us = quota_us ? take_number(text) : std::nullopt;
  if (!period_us || *quota_us == 0 || *period_us == 0) return 0;
  const std::uint64_t count = *quota_us / *period_us + (*quota_us % *period_us != 0 ? 1 : 0);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, 1U << 16));
}

std::uint32_t cpu_count() {
  std::uint32_t count = std::max(1U, affinity_count());
  for (const std::uint32_t limit :
       {limit_of_hierarchy("/sys/fs/cgroup", ""), limit_of_hierarchy("/sys/fs/cgroup/cpu", "cpu")})
    if (limit != 0) count = std::min(count, limit);
  return count;
}

}  // namespace stint::kernels
