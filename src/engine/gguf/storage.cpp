#include "engine/gguf/storage.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>

#include "platform/base/assert.h"

namespace stint::gguf {
namespace {

constexpr std::align_val_t kCopyAlignment{4096};

std::unexpected<Error> system_error(const std::string& path, const char* action) {
  return fail(ErrorKind::io, fmt::format("{}: cannot {}: {}.", path, action, std::strerror(errno)));
}

// The mapping is not written through; madvise wants a non-const pointer all the same.
void advise(std::span<const std::byte> part, int advice) {
  static_cast<void>(::madvise(const_cast<std::byte*>(part.data()), part.size(), advice));
}

}  // namespace

Result<std::unique_ptr<Storage>> Storage::map(const std::string& path) {
  std::unique_ptr<Storage> storage(new Storage);
  // Non-blocking, so that a FIFO does not hold the open; it changes nothing for regular files.
  storage->descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (storage->descriptor_ < 0) return system_error(path, "open the model file");
  if (::fstat(storage->descriptor_, &storage->stat_) != 0) return system_error(path, "read the file's size");
  if (!S_ISREG(storage->stat_.st_mode)) {
    return fail(ErrorKind::io, fmt::format("{}: is not a regular file; give the path of a GGUF model file.", path));
  }
  const auto size = static_cast<std::size_t>(storage->stat_.st_size);
  if (size == 0) return fail(ErrorKind::corrupt, fmt::format("{}: the file is empty; download it again.", path));
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, storage->descriptor_, 0);
  if (address == MAP_FAILED) return system_error(path, "map the model file");
  storage->bytes_ = {static_cast<const std::byte*>(address), size};
  return storage;
}

std::unique_ptr<Storage> Storage::copy(std::span<const std::byte> bytes) {
  std::unique_ptr<Storage> storage(new Storage);
  auto* memory = static_cast<std::byte*>(::operator new(bytes.size() + 1, kCopyAlignment));
  if (!bytes.empty()) std::memcpy(memory, bytes.data(), bytes.size());
  storage->bytes_ = {memory, bytes.size()};
  return storage;
}

Storage::~Storage() {
  auto* memory = const_cast<std::byte*>(bytes_.data());
  if (descriptor_ < 0) {
    ::operator delete(memory, kCopyAlignment);
    return;
  }
  if (memory != nullptr) ::munmap(memory, bytes_.size());
  ::close(descriptor_);
}

void Storage::prefetch() const {
  if (descriptor_ >= 0) advise(bytes_, MADV_WILLNEED);
}

void Storage::release(std::span<const std::byte> part) const {
  if (descriptor_ < 0) return;
  STINT_ASSERT(part.data() >= bytes_.data() && part.data() + part.size() <= bytes_.data() + bytes_.size());
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = static_cast<std::size_t>(part.data() - bytes_.data());
  const std::size_t first = (begin + page - 1) / page * page;
  const std::size_t last = (begin + part.size()) / page * page;
  if (first < last) advise(bytes_.subspan(first, last - first), MADV_DONTNEED);
}

bool Storage::unchanged() const {
  if (descriptor_ < 0) return true;
  struct stat latest{};
  if (::fstat(descriptor_, &latest) != 0) return false;
  return latest.st_size == stat_.st_size && latest.st_mtim.tv_sec == stat_.st_mtim.tv_sec &&
         latest.st_mtim.tv_nsec == stat_.st_mtim.tv_nsec;
}

}  // namespace stint::gguf
