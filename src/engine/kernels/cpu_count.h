// cpu_count: how many threads are worth starting: the CPUs of this process's affinity mask, cut to the cgroup's CPU
// quota. Thread-safe; reads /proc and /sys on Linux.
#pragma once

#include <cstdint>
#include <string_view>

namespace stint::kernels {

// At least 1. cgroup v2 cpu.max and v1 cpu.cfs_quota_us, of this process's group and of every group above it.
std::uint32_t cpu_count();

// CPUs that the text of a cpu.max file allows ("max 100000", "150000 100000"), rounded up; 0: no limit, or not
// understood.
std::uint32_t parse_cpu_max(std::string_view text);

}  // namespace stint::kernels
