// PagePool: the memory of the KV cache, cut into pages of kPageTokens positions that hold all layers' keys and values.
// PageTable: the pages of one sequence, in order of position. Engine driver only; not thread-safe (kernel workers read
// and write page contents during a step, never the bookkeeping). The pool owns the memory; a table owns one reference a
// page. A page's content is immutable once a second reference exists. Limits: page_count, fixed at construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace stint::kv {

inline constexpr std::uint32_t kPageTokens = 16;

using PageIndex = std::uint32_t;

// Which path computed a position's keys and values. Recomputing uses the same role, so that eviction never changes an
// answer (prefill and decode kernels may differ in the last bits).
enum class Role : std::uint8_t { prefill, decode };

enum class KvType : std::uint8_t { f16, f32 };

std::size_t element_size(KvType type);

struct PageShape {
  std::uint32_t layer_count = 0;
  std::uint32_t kv_head_count = 0;
  std::uint32_t head_size = 0;  // elements of one head's key (= of its value)
  KvType type = KvType::f16;

  // Bytes of one layer's keys (or values) in a page.
  std::size_t half_size() const { return element_size(type) * kv_head_count * kPageTokens * head_size; }
  std::size_t page_size() const { return 2 * half_size() * layer_count; }
};

class PagePool {
 public:
  PagePool(const PageShape& shape, std::uint32_t page_count);

  // A page with one reference, all positions unwritten; nullopt when all are in use.
  std::optional<PageIndex> allocate();
  void retain(PageIndex page);
  // At zero references the page is free again.
  void release(PageIndex page);
  std::uint32_t reference_count(PageIndex page) const;

  // Of shape.type. Keys are [kv_head][head_size][kPageTokens], so that the scores of a page's positions come out side
  // by side; values are [kv_head][kPageTokens][head_size].
  std::byte* keys(PageIndex page, std::uint32_t layer);
  std::byte* values(PageIndex page, std::uint32_t layer);
  const std::byte* keys(PageIndex page, std::uint32_t layer) const;
  const std::byte* values(PageIndex page, std::uint32_t layer) const;

  void set_role(PageIndex page, std::uint32_t position_in_page, Role role);
  Role role(PageIndex page, std::uint32_t position_in_page) const;

  const PageShape& shape() const { return shape_; }
  std::uint32_t page_count() const { return static_cast<std::uint32_t>(reference_counts_.size()); }
  std::uint32_t free_count() const { return static_cast<std::uint32_t>(free_.size()); }
  // Asserts that free list and reference counts agree; for tests and idle time. O(page_count).
  void check_integrity() const;

 private:
  PageShape shape_;
  std::unique_ptr<std::byte[], void (*)(std::byte*)> memory_;
  std::vector<std::uint32_t> reference_counts_;
  std::vector<std::uint16_t> decode_bits_;  // bit i: position i of the page was computed by a decode step
  std::vector<PageIndex> free_;
};

class PageTable {
 public:
  explicit PageTable(PagePool& pool) : pool_(&pool) {}
  ~PageTable() { clear(); }
  PageTable(PageTable&& other) noexcept;
  PageTable& operator=(PageTable&& other) noexcept;

  // Makes room for `token_count` positions in all. False, with the table as it was, when the pool is exhausted.
  bool grow_to(std::uint32_t token_count);
  // Releases the pages that hold no position below `token_count`.
  void shrink_to(std::uint32_t token_count);
  // Releases every page.
  void clear() { shrink_to(0); }

  PagePool& pool() const { return *pool_; }
  std::span<const PageIndex> pages() const { return pages_; }
  std::uint32_t token_capacity() const { return static_cast<std::uint32_t>(pages_.size()) * kPageTokens; }

 private:
  PagePool* pool_;
  std::vector<PageIndex> pages_;
};

}  // namespace stint::kv
