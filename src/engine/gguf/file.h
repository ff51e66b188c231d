// File: one GGUF v2/v3 model file: its metadata and tensors. Everything in it was checked at open: counts, lengths,
// products, alignment, places and overlaps of tensors, duplicate names; a lying file is an Error that names file,
// tensor or key. Immutable and thread-safe after open. Movable; views stay valid when it is moved. Owns the mapping and
// a copy of the header, so that metadata cannot change under the readers. Tensor bytes are mapped read-only: if another
// process truncates the file in place, reading them ends this one with SIGBUS. Loaders call check_unchanged() when they
// have read everything, and models are replaced by rename, never in place. Limits: the constants below.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/gguf/metadata.h"
#include "engine/gguf/tensor_type.h"
#include "platform/base/result.h"

namespace stint::gguf {

class Storage;

inline constexpr std::size_t kTensorCountMax = 1U << 16;
inline constexpr std::size_t kKeyCountMax = 1U << 14;
inline constexpr std::size_t kNameSizeMax = 256;           // keys and tensor names
inline constexpr std::size_t kStringSizeMax = 4U << 20;    // a chat template is tens of KiB
inline constexpr std::size_t kArrayCountMax = 4U << 20;    // the largest vocabularies have 2^18 tokens
inline constexpr std::size_t kHeaderSizeMax = 256U << 20;  // metadata and tensor table, copied at open
inline constexpr std::size_t kAlignmentMax = 1U << 16;

struct Tensor {
  std::string_view name;
  TensorType type = TensorType::f32;
  // Elements by dimension, unused ones 1. ne[0] is the contiguous one: of a matrix its input size, ne[1] its output
  // size.
  std::array<std::uint64_t, 4> ne{1, 1, 1, 1};
  std::size_t row_size = 0;          // bytes of ne[0] elements
  std::span<const std::byte> bytes;  // row_count() * row_size, aligned to general.alignment (at least 8)

  std::uint64_t row_count() const { return ne[1] * ne[2] * ne[3]; }
  std::uint64_t element_count() const { return ne[0] * row_count(); }
};

class File {
 public:
  // Maps `path`. Errors: io (cannot be read), corrupt, unsupported (version, tensor type, one part of a split model).
  static Result<File> open(const std::string& path);
  // The same over a copy of `bytes`, for tests and fuzzers; `name` stands in messages.
  static Result<File> from_bytes(std::span<const std::byte> bytes, std::string name);
  ~File();
  File(File&&) noexcept;
  File& operator=(File&&) noexcept;

  const std::string& name() const { return name_; }
  std::size_t size() const;
  std::uint32_t version() const { return version_; }
  const Metadata& metadata() const { return metadata_; }
  // In the order of the file.
  std::span<const Tensor> tensors() const { return tensors_; }
  // nullptr if there is none of this name. O(log tensors).
  const Tensor* find_tensor(std::string_view name) const;
  // Error: corrupt, naming the tensor.
  Result<const Tensor*> tensor(std::string_view name) const;

  // Asks the kernel to read all of it ahead (MADV_WILLNEED). A hint; never fails.
  void prefetch() const;
  // Gives the memory behind a tensor's whole pages back (MADV_DONTNEED), for weights that were repacked; reading the
  // bytes again fetches them from the file.
  void release(const Tensor& tensor) const;
  // Error io: the file's size or time of change is no longer what it was at open; what was read may be a mixture.
  Result<void> check_unchanged() const;

 private:
  File(std::string name, std::unique_ptr<Storage> storage);
  Result<void> read();

  std::string name_;
  std::uint32_t version_ = 0;
  std::unique_ptr<Storage> storage_;
  std::vector<std::byte> header_;  // metadata and tensor table; keys, strings and names point into it
  Metadata metadata_;
  std::vector<Tensor> tensors_;
  std::vector<std::uint32_t> by_name_;  // indexes of tensors_, sorted by name
};

}  // namespace stint::gguf
