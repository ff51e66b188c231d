// Cursor: reads little-endian values from a span of bytes, front to back, never past the end. Not thread-safe; borrows.
// Every read returns false, leaving the cursor where it was, when too few bytes are left.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace stint::gguf {

static_assert(std::endian::native == std::endian::little, "GGUF files are read in place");

class Cursor {
 public:
  explicit Cursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::size_t offset() const { return offset_; }
  std::size_t left() const { return bytes_.size() - offset_; }

  template <typename T>
    requires std::is_trivially_copyable_v<T>
  bool read(T& out) {
    if (left() < sizeof(T)) return false;
    std::memcpy(&out, bytes_.data() + offset_, sizeof(T));
    offset_ += sizeof(T);
    return true;
  }

  bool read_bytes(std::size_t size, std::span<const std::byte>& out) {
    if (left() < size) return false;
    out = bytes_.subspan(offset_, size);
    offset_ += size;
    return true;
  }

  // A u64 length and that many bytes; also false when the length is above `size_max`.
  bool read_string(std::size_t size_max, std::string_view& out) {
    const std::size_t start = offset_;
    std::uint64_t size = 0;
    std::span<const std::byte> text;
    if (!read(size) || size > size_max || !read_bytes(static_cast<std::size_t>(size), text)) {
      offset_ = start;
      return false;
    }
    out = {reinterpret_cast<const char*>(text.data()), text.size()};
    return true;
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t offset_ = 0;
};

}  // namespace stint::gguf
