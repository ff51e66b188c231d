#include "engine/kernels/kernel_table.h"

namespace stint::kernels {

const KernelTable* find_kernels(Tier tier) {
  if (!is_available(tier)) return nullptr;
  if (tier == Tier::portable) return &portable_kernels();
#if defined(__x86_64__)
  if (tier == Tier::avx2) return &avx2_kernels();
#endif
  return nullptr;
}

}  // namespace stint::kernels
