#include "engine/gguf/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "engine/gguf/header.h"
#include "engine/gguf/storage.h"

namespace stint::gguf {
namespace {

constexpr std::uint32_t kAlignmentDefault = 32;
constexpr std::uint32_t kAlignmentMin = 8;  // GGUF asks for a multiple of 8

Result<std::size_t> read_alignment(const Metadata& metadata, const std::string& file_name) {
  const auto alignment = metadata.u32("general.alignment", kAlignmentDefault);
  if (!alignment) return std::unexpected(alignment.error());
  if (!std::has_single_bit(*alignment) || *alignment < kAlignmentMin || *alignment > kAlignmentMax) {
    return fail(ErrorKind::corrupt,
                fmt::format("{}: general.alignment is {}; powers of two from {} to {} are possible.", file_name,
                            *alignment, kAlignmentMin, kAlignmentMax));
  }
  return *alignment;
}

Result<void> check_not_split(const Metadata& metadata, const std::string& file_name) {
  const auto part_count = metadata.u32("split.count", 1);
  if (!part_count) return std::unexpected(part_count.error());
  if (*part_count <= 1) return {};
  return fail(ErrorKind::unsupported,
              fmt::format("{}: is one of {} parts of a split model; merge the parts into one file first.", file_name,
                          *part_count));
}

}  // namespace

File::File(std::string name, std::unique_ptr<Storage> storage) : name_(std::move(name)), storage_(std::move(storage)) {}
File::~File() = default;
File::File(File&&) noexcept = default;
File& File::operator=(File&&) noexcept = default;

Result<File> File::open(const std::string& path) {
  auto storage = Storage::map(path);
  if (!storage) return std::unexpected(storage.error());
  File file(path, std::move(*storage));
  if (auto done = file.read(); !done) return std::unexpected(done.error());
  return file;
}

Result<File> File::from_bytes(std::span<const std::byte> bytes, std::string name) {
  File file(std::move(name), Storage::copy(bytes));
  if (auto done = file.read(); !done) return std::unexpected(done.error());
  return file;
}

// Parsed twice: once over the mapping to learn the header's size, then over a private copy of it, whose lengths nobody
// can change after they were checked.
Result<void> File::read() {
  const std::span<const std::byte> bytes = storage_->bytes();
  const auto measured = parse_header(bytes, name_);
  if (!measured) return std::unexpected(measured.error());
  header_.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(measured->size));
  storage_->release(bytes.first(measured->size));
  auto header = parse_header(header_, name_);
  if (!header) return std::unexpected(header.error());
  version_ = header->version;
  metadata_ = Metadata(name_, std::move(header->values));
  if (auto done = check_not_split(metadata_, name_); !done) return done;
  const auto alignment = read_alignment(metadata_, name_);
  if (!alignment) return std::unexpected(alignment.error());
  auto tensors = place_tensors(*header, *alignment, bytes, name_);
  if (!tensors) return std::unexpected(tensors.error());
  tensors_ = std::move(*tensors);
  by_name_.resize(tensors_.size());
  std::iota(by_name_.begin(), by_name_.end(), 0U);
  const auto name_of = [this](std::uint32_t index) { return tensors_[index].name; };
  std::ranges::sort(by_name_, {}, name_of);
  const auto twice = std::ranges::adjacent_find(by_name_, {}, name_of);
  if (twice == by_name_.end()) return {};
  return fail(ErrorKind::corrupt, fmt::format("{}: two tensors have the same name, {}.", name_, name_of(*twice)));
}

std::size_t File::size() const {
  return storage_->bytes().size();
}

const Tensor* File::find_tensor(std::string_view name) const {
  const auto name_of = [this](std::uint32_t index) { return tensors_[index].name; };
  const auto found = std::ranges::lower_bound(by_name_, name, {}, name_of);
  return found == by_name_.end() || name_of(*found) != name ? nullptr : &tensors_[*found];
}

Result<const Tensor*> File::tensor(std::string_view name) const {
  if (const Tensor* found = find_tensor(name)) return found;
  return fail(ErrorKind::corrupt,
              fmt::format("{}: the tensor {} is missing; the file does not hold the whole model.", name_, name));
}

void File::prefetch() const {
  storage_->prefetch();
}

void File::release(const Tensor& tensor) const {
  storage_->release(tensor.bytes);
}

Result<void> File::check_unchanged() const {
  if (storage_->unchanged()) return {};
  return fail(ErrorKind::io,
              fmt::format("{}: the file was changed while it was read; load it again when it is complete.", name_));
}

}  // namespace stint::gguf
