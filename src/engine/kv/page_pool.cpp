#include "engine/kv/page_pool.h"

#include <cstdlib>
#include <utility>

#include "platform/base/assert.h"

namespace stint::kv {

namespace {

constexpr std::size_t kPageAlignment = 64;

std::size_t rounded_up(std::size_t size) {
  return (size + kPageAlignment - 1) / kPageAlignment * kPageAlignment;
}

void free_bytes(std::byte* bytes) {
  std::free(bytes);
}

// Left unwritten: the operating system backs a page only when it is first used.
std::unique_ptr<std::byte[], void (*)(std::byte*)> allocate_bytes(std::size_t size) {
  void* bytes = std::aligned_alloc(kPageAlignment, rounded_up(size));
  STINT_ASSERT(bytes != nullptr);
  return {static_cast<std::byte*>(bytes), free_bytes};
}

}  // namespace

std::size_t element_size(KvType type) {
  return type == KvType::f16 ? 2 : 4;
}

PagePool::PagePool(const PageShape& shape, std::uint32_t page_count)
    : shape_(shape),
      memory_(allocate_bytes(shape.page_size() * page_count)),
      reference_counts_(page_count, 0),
      decode_bits_(page_count, 0) {
  free_.reserve(page_count);
  for (PageIndex page = page_count; page > 0; --page) free_.push_back(page - 1);
}

std::optional<PageIndex> PagePool::allocate() {
  if (free_.empty()) return std::nullopt;
  const PageIndex page = free_.back();
  free_.pop_back();
  reference_counts_[page] = 1;
  decode_bits_[page] = 0;
  return page;
}

void PagePool::retain(PageIndex page) {
  STINT_ASSERT(page < page_count() && reference_counts_[page] > 0);
  ++reference_counts_[page];
}

void PagePool::release(PageIndex page) {
  STINT_ASSERT(page < page_count() && reference_counts_[page] > 0);
  if (--reference_counts_[page] == 0) free_.push_back(page);
}

std::uint32_t PagePool::reference_count(PageIndex page) const {
  STINT_ASSERT(page < page_count());
  return reference_counts_[page];
}

std::byte* PagePool::keys(PageIndex page, std::uint32_t layer) {
  return const_cast<std::byte*>(std::as_const(*this).keys(page, layer));
}

std::byte* PagePool::values(PageIndex page, std::uint32_t layer) {
  return const_cast<std::byte*>(std::as_const(*this).values(page, layer));
}

const std::byte* PagePool::keys(PageIndex page, std::uint32_t layer) const {
  STINT_ASSERT(page < page_count() && layer < shape_.layer_count);
  return memory_.get() + shape_.page_size() * page + 2 * shape_.half_size() * layer;
}

const std::byte* PagePool::values(PageIndex page, std::uint32_t layer) const {
  return keys(page, layer) + shape_.half_size();
}

void PagePool::set_role(PageIndex page, std::uint32_t position_in_page, Role role) {
  STINT_ASSERT(page < page_count() && position_in_page < kPageTokens);
  const auto bit = static_cast<std::uint16_t>(1U << position_in_page);
  if (role == Role::decode) {
    decode_bits_[page] = static_cast<std::uint16_t>(decode_bits_[page] | bit);
  } else {
    decode_bits_[page] = static_cast<std::uint16_t>(decode_bits_[page] & ~bit);
  }
}

Role PagePool::role(PageIndex page, std::uint32_t position_in_page) const {
  STINT_ASSERT(page < page_count() && position_in_page < kPageTokens);
  return ((decode_bits_[page] >> position_in_page) & 1U) != 0 ? Role::decode : Role::prefill;
}

void PagePool::check_integrity() const {
  std::vector<bool> is_free(page_count(), false);
  for (const PageIndex page : free_) {
    STINT_ASSERT(page < page_count() && !is_free[page]);
    is_free[page] = true;
  }
  for (PageIndex page = 0; page < page_count(); ++page) STINT_ASSERT(is_free[page] == (reference_counts_[page] == 0));
}

PageTable::PageTable(PageTable&& other) noexcept : pool_(other.pool_), pages_(std::exchange(other.pages_, {})) {}

PageTable& PageTable::operator=(PageTable&& other) noexcept {
  if (this != &other) {
    clear();
    pool_ = other.pool_;
    pages_ = std::exchange(other.pages_, {});
  }
  return *this;
}

bool PageTable::grow_to(std::uint32_t token_count) {
  const std::uint32_t wanted = (token_count + kPageTokens - 1) / kPageTokens;
  if (wanted <= pages_.size()) return true;
  if (wanted - pages_.size() > pool_->free_count()) return false;
  while (pages_.size() < wanted) pages_.push_back(*pool_->allocate());
  return true;
}

void PageTable::shrink_to(std::uint32_t token_count) {
  const std::uint32_t kept = (token_count + kPageTokens - 1) / kPageTokens;
  while (pages_.size() > kept) {
    pool_->release(pages_.back());
    pages_.pop_back();
  }
}

}  // namespace stint::kv
