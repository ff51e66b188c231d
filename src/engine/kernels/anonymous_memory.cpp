#include "engine/kernels/anonymous_memory.h"

#include <sys/mman.h>

#include "platform/base/assert.h"

namespace stint::kernels {

AnonymousMemory::AnonymousMemory(std::size_t size) {
  if (size == 0) return;
  void* bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  STINT_ASSERT(bytes != MAP_FAILED);
#if defined(MADV_HUGEPAGE)
  madvise(bytes, size, MADV_HUGEPAGE);
#endif
  bytes_ = {static_cast<std::byte*>(bytes), Unmap{size}};
}

void Unmap::operator()(std::byte* bytes) const {
  munmap(bytes, size);
}

}  // namespace stint::kernels
