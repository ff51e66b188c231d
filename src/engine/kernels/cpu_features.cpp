#include "engine/kernels/cpu_features.h"

#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace stint::kernels {

#if defined(__x86_64__)

namespace {

bool bit(std::uint32_t word, int index) {
  return ((word >> index) & 1U) != 0;
}

// XCR0: the register state the operating system saves (Intel SDM vol. 1, 13.3).
std::uint64_t saved_state() {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (static_cast<std::uint64_t>(high) << 32) | low;
}

constexpr std::uint64_t kAvxState = 0x6;      // XMM, YMM
constexpr std::uint64_t kAvx512State = 0xe6;  // with opmask, ZMM
constexpr std::uint64_t kAmxState = 0x60000;  // tile configuration and data

}  // namespace

CpuFeatures detect_cpu_features() {
  CpuFeatures features;
  std::uint32_t eax = 0;
  std::uint32_t ebx = 0;
  std::uint32_t ecx = 0;
  std::uint32_t edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return features;
  const bool osxsave = bit(ecx, 27);
  const bool fma_f16c_avx = bit(ecx, 12) && bit(ecx, 29) && bit(ecx, 28);
  if (!osxsave || !fma_f16c_avx || __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return features;
  const std::uint64_t saved = saved_state();
  features.avx2 = bit(ebx, 5) && (saved & kAvxState) == kAvxState;
  features.avx512_vnni = features.avx2 && bit(ebx, 16) && bit(ebx, 30) && bit(ebx, 31) && bit(ecx, 11) &&
                         (saved & kAvx512State) == kAvx512State;
  features.amx = bit(edx, 24) && bit(edx, 25) && bit(edx, 22) && (saved & kAmxState) == kAmxState;
  return features;
}

#else

CpuFeatures detect_cpu_features() {
  return {};
}

#endif

}  // namespace stint::kernels
