#include "cli/progress_bar.h"

#include <cstdio>

namespace stint::cli {

namespace {

constexpr std::uint64_t kBarWidth = 24;
constexpr double kMegabyte = 1e6;
constexpr std::chrono::milliseconds kRefresh{100};
constexpr std::uint64_t kTenths = 10;

}  // namespace

std::string progress_line(std::uint64_t done_size, std::optional<std::uint64_t> total_size, double bytes_per_second) {
  const double done_mb = static_cast<double>(done_size) / kMegabyte;
  const std::string speed = fmt::format("{:.1f} MB/s", bytes_per_second / kMegabyte);
  if (!total_size || *total_size == 0) return fmt::format("{:.0f} MB  {}", done_mb, speed);
  const std::uint64_t filled = kBarWidth * std::min(done_size, *total_size) / *total_size;
  const std::uint64_t rest = *total_size - std::min(done_size, *total_size);
  std::string line =
      fmt::format("[{}{}] {:3d} %  {:.0f}/{:.0f} MB  {}", std::string(filled, '#'),
                  std::string(kBarWidth - filled, '.'), 100 * std::min(done_size, *total_size) / *total_size, done_mb,
                  static_cast<double>(*total_size) / kMegabyte, speed);
  if (bytes_per_second > 0) line += fmt::format("  {:.0f} s left", static_cast<double>(rest) / bytes_per_second);
  return line;
}

void ProgressBar::show(std::uint64_t done_size, std::optional<std::uint64_t> total_size) {
  const base::TimePoint now = clock_.now();
  const std::string line = progress_line(done_size, total_size, rate(done_size, now));
  if (on_terminal_) {
    last_ = line;
    if (now - shown_at_ < kRefresh) return;
    shown_at_ = now;
    std::fprintf(stderr, "\r%s\033[K", line.c_str());
    return;
  }
  const std::uint64_t tenth = total_size && *total_size > 0 ? kTenths * done_size / *total_size : 0;
  if (tenth <= shown_tenth_) return;
  shown_tenth_ = tenth;
  std::fprintf(stderr, "%s\n", line.c_str());
}

void ProgressBar::finish() {
  if (on_terminal_ && !last_.empty()) std::fprintf(stderr, "\r%s\033[K\n", last_.c_str());
}

double ProgressBar::rate(std::uint64_t done_size, base::TimePoint now) {
  if (!started_at_) {
    started_at_ = now;
    started_size_ = done_size;
  }
  const double seconds = std::chrono::duration<double>(now - *started_at_).count();
  return seconds > 0 ? static_cast<double>(done_size - started_size_) / seconds : 0;
}

}  // namespace stint::cli
