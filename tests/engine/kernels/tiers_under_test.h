// The kernel tables that the tests of this folder run: every tier this machine can execute. The others are printed as
// absent.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "engine/kernels/kernel_table.h"

namespace stint::kernels {

inline std::vector<const KernelTable*> tables_under_test() {
  std::vector<const KernelTable*> tables;
  for (const Tier tier : all_tiers()) {
    if (tier == Tier::reference) continue;
    const KernelTable* table = find_kernels(tier);
    if (table != nullptr) tables.push_back(table);
    if (table == nullptr) std::printf("kernel tier %s: absent on this machine\n", std::string(to_string(tier)).c_str());
  }
  return tables;
}

}  // namespace stint::kernels
