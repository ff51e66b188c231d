// AnonymousMemory: zeroed memory straight from the operating system, on large pages where it grants them (a step reads
// every weight once, and 4 KiB pages cost a fifth of the bandwidth in TLB misses). Owns the mapping; movable; 64-byte
// aligned.
#pragma once

#include <cstddef>
#include <memory>

namespace stint::kernels {

struct Unmap {
  std::size_t size = 0;
  void operator()(std::byte* bytes) const;
};

class AnonymousMemory {
 public:
  AnonymousMemory() = default;
  explicit AnonymousMemory(std::size_t size);

  std::byte* data() { return bytes_.get(); }
  const std::byte* data() const { return bytes_.get(); }
  std::size_t size() const { return bytes_.get_deleter().size; }

 private:
  std::unique_ptr<std::byte, Unmap> bytes_;
};

}  // namespace stint::kernels
