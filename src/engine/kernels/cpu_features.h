// CpuFeatures: which vector instructions may be executed here: the CPU has them and the operating system saves their
// registers (XGETBV). Thread-safe.
#pragma once

namespace stint::kernels {

struct CpuFeatures {
  bool avx2 = false;         // with FMA and F16C
  bool avx512_vnni = false;  // with F, BW, VL
  bool amx = false;          // tiles with int8 and bf16
};

CpuFeatures detect_cpu_features();

}  // namespace stint::kernels
