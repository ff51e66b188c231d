#include "engine/kv/page_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "platform/base/random.h"

namespace stint::kv {
namespace {

constexpr PageShape kShape{.layer_count = 2, .kv_head_count = 3, .head_size = 8, .type = KvType::f16};

TEST(PagePool, sizes_follow_from_the_shape) {
  EXPECT_EQ(kShape.half_size(), 2u * 3 * 16 * 8);
  EXPECT_EQ(kShape.page_size(), 4 * kShape.half_size());
}

TEST(PagePool, hands_out_every_page_once) {
  PagePool pool(kShape, 3);
  std::vector<bool> seen(3, false);
  for (int i = 0; i < 3; ++i) {
    const std::optional<PageIndex> page = pool.allocate();
    ASSERT_TRUE(page && *page < 3 && !seen[*page]);
    seen[*page] = true;
  }
  EXPECT_EQ(pool.allocate(), std::nullopt);
  EXPECT_EQ(pool.free_count(), 0u);
  pool.check_integrity();
}

TEST(PagePool, a_page_is_free_after_its_last_reference) {
  PagePool pool(kShape, 1);
  const PageIndex page = *pool.allocate();
  pool.retain(page);
  pool.release(page);
  EXPECT_EQ(pool.reference_count(page), 1u);
  EXPECT_EQ(pool.free_count(), 0u);
  pool.release(page);
  EXPECT_EQ(pool.free_count(), 1u);
  pool.check_integrity();
}

TEST(PagePool, layers_and_halves_do_not_overlap) {
  PagePool pool(kShape, 2);
  unsigned char mark = 0;
  for (PageIndex page = 0; page < 2; ++page)
    for (std::uint32_t layer = 0; layer < 2; ++layer)
      for (std::byte* half : {pool.keys(page, layer), pool.values(page, layer)})
        std::memset(half, mark++, kShape.half_size());
  mark = 0;
  for (PageIndex page = 0; page < 2; ++page)
    for (std::uint32_t layer = 0; layer < 2; ++layer)
      for (const std::byte* half : {pool.keys(page, layer), pool.values(page, layer)}) {
        for (std::size_t i = 0; i < kShape.half_size(); ++i) ASSERT_EQ(half[i], std::byte{mark});
        ++mark;
      }
}

TEST(PagePool, remembers_the_role_of_each_position) {
  PagePool pool(kShape, 1);
  const PageIndex page = *pool.allocate();
  pool.set_role(page, 3, Role::decode);
  pool.set_role(page, 15, Role::decode);
  pool.set_role(page, 15, Role::prefill);
  for (std::uint32_t p = 0; p < kPageTokens; ++p) EXPECT_EQ(pool.role(page, p), p == 3 ? Role::decode : Role::prefill);
  pool.release(page);
  EXPECT_EQ(pool.role(*pool.allocate(), 3), Role::prefill);  // a fresh page has no past
}

TEST(PageTable, grows_by_whole_pages_or_not_at_all) {
  PagePool pool(kShape, 3);
  PageTable table(pool);
  EXPECT_TRUE(table.grow_to(17));
  EXPECT_EQ(table.pages().size(), 2u);
  EXPECT_EQ(table.token_capacity(), 32u);
  EXPECT_TRUE(table.grow_to(1));
  EXPECT_EQ(table.pages().size(), 2u);
  EXPECT_FALSE(table.grow_to(49));
  EXPECT_EQ(table.pages().size(), 2u);
  EXPECT_EQ(pool.free_count(), 1u);
}

TEST(PageTable, gives_its_pages_back_when_it_goes) {
  PagePool pool(kShape, 4);
  {
    PageTable table(pool);
    ASSERT_TRUE(table.grow_to(64));
    PageTable moved(std::move(table));
    EXPECT_EQ(moved.pages().size(), 4u);
    PageTable assigned(pool);
    assigned = std::move(moved);
    EXPECT_EQ(pool.free_count(), 0u);
  }
  EXPECT_EQ(pool.free_count(), 4u);
  pool.check_integrity();
}

TEST(PagePool, random_histories_keep_its_books_in_order) {
  base::Random random(1);
  PagePool pool(kShape, 16);
  std::vector<PageIndex> held;  // one entry a reference
  for (int step = 0; step < 5000; ++step) {
    switch (random.below(3)) {
      case 0:
        if (const std::optional<PageIndex> page = pool.allocate()) held.push_back(*page);
        break;
      case 1:
        if (!held.empty()) {
          held.push_back(held[random.below(held.size())]);
          pool.retain(held.back());
        }
        break;
      default:
        if (!held.empty()) {
          std::swap(held[random.below(held.size())], held.back());
          pool.release(held.back());
          held.pop_back();
        }
    }
    if (step % 64 == 0) pool.check_integrity();
    std::vector<std::uint32_t> counts(16, 0);
    for (const PageIndex page : held) ++counts[page];
    for (PageIndex page = 0; page < 16; ++page) ASSERT_EQ(pool.reference_count(page), counts[page]);
  }
}

}  // namespace
}  // namespace stint::kv
