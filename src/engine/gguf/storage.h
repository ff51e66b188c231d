// Storage: the bytes of one GGUF file, mapped from disk or copied into memory. Immutable and thread-safe.
// Owns the mapping and the open descriptor, or the copy.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "platform/base/result.h"

namespace stint::gguf {

class Storage {
 public:
  // Maps a regular file, read-only and private. Errors: io, naming the path; corrupt (empty).
  static Result<std::unique_ptr<Storage>> map(const std::string& path);
  // A copy, aligned as a mapping would be.
  static std::unique_ptr<Storage> copy(std::span<const std::byte> bytes);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }
  // Hints to the kernel; nothing happens on a copy.
  void prefetch() const;
  void release(std::span<const std::byte> part) const;
  // True if size and time of change are those of the moment of mapping.
  bool unchanged() const;

 private:
  Storage() = default;

  std::span<const std::byte> bytes_;
  int descriptor_ = -1;  // of a mapping
  struct stat stat_{};
};

}  // namespace stint::gguf
