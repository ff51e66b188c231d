// ProgressBar: one line on a terminal that is rewritten as a download goes on; without a terminal, a line for every
// tenth of the way. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "platform/base/clock.h"

namespace stint::cli {

// "[#####.....]  52 %  51/98 MB  12.3 MB/s  4 s left"
std::string progress_line(std::uint64_t done_size, std::optional<std::uint64_t> total_size, double bytes_per_second);

class ProgressBar {
 public:
  ProgressBar(const base::Clock& clock, bool on_terminal) : clock_(clock), on_terminal_(on_terminal) {}

  void show(std::uint64_t done_size, std::optional<std::uint64_t> total_size);
  // Leaves the last state on the screen and goes to the next line.
  void finish();

 private:
  double rate(std::uint64_t done_size, base::TimePoint now);

  const base::Clock& clock_;
  const bool on_terminal_;
  std::optional<base::TimePoint> started_at_;
  std::uint64_t started_size_ = 0;
  base::TimePoint shown_at_{};
  std::uint64_t shown_tenth_ = 0;
  std::string last_;
};

}  // namespace stint::cli
