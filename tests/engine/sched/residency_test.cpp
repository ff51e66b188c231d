#include "engine/sched/residency.h"

#include <gtest/gtest.h>

#include "tests/engine/sched/sched_harness.h"

namespace stint::sched {
namespace {

using engine::Priority;

class ResidencyTest : public testing::Test {
 protected:
  std::unique_ptr<Sequence> make(Priority priority, std::uint32_t prompt_count, std::uint32_t computed = 0) {
    auto sequence = std::make_unique<Sequence>(submission(1, prompt_count, 10, priority),
                                               std::make_unique<RecordingSink>(std::make_shared<Answer>()), limits_,
                                               pool_, arrivals_++, clock_.now());
    sequence->start(clock_.now());
    if (computed > 0) {
      EXPECT_TRUE(sequence->pages().grow_to(computed));
      sequence->slice(computed, clock_.now());
      sequence->advance(computed);
    }
    return sequence;
  }

  std::unique_ptr<Sequence> waiting(Priority priority, std::uint32_t prompt_count) {
    return std::make_unique<Sequence>(submission(1, prompt_count, 10, priority),
                                      std::make_unique<RecordingSink>(std::make_shared<Answer>()), limits_, pool_,
                                      arrivals_++, clock_.now());
  }

  std::optional<std::vector<Sequence*>> victims(const Sequence& candidate) {
    return victims_for(candidate, residents_, limits_, pool_.page_count(), clock_.now());
  }

  Limits limits_ = Harness::limits(8, 100, 400);
  fakes::FakeClock clock_;
  kv::PagePool pool_{fakes::HashModel::page_shape(), 30};
  std::uint64_t arrivals_ = 0;
  std::vector<std::unique_ptr<Sequence>> residents_;
};

TEST_F(ResidencyTest, nobody_yields_while_there_is_room) {
  residents_.push_back(make(Priority::batch, 40));
  EXPECT_TRUE(victims(*waiting(Priority::urgent, 40))->empty());
  EXPECT_FALSE(victims(*waiting(Priority::batch, 41))) << "50 + 51 tokens";
}

TEST_F(ResidencyTest, the_lowest_class_yields_first_then_the_least_computed_then_the_latest) {
  residents_.push_back(make(Priority::normal, 15));
  residents_.push_back(make(Priority::batch, 15, 12));
  residents_.push_back(make(Priority::batch, 15, 4));
  residents_.push_back(make(Priority::batch, 15, 4));
  const auto small = victims(*waiting(Priority::urgent, 10));
  EXPECT_EQ(*small, (std::vector<Sequence*>{residents_[3].get()}));
  const auto large = victims(*waiting(Priority::urgent, 80));
  EXPECT_EQ(*large, (std::vector<Sequence*>{residents_[3].get(), residents_[2].get(), residents_[1].get(),
                                            residents_[0].get()}));
}

TEST_F(ResidencyTest, only_lower_classes_yield_and_none_in_vain) {
  residents_.push_back(make(Priority::normal, 50));
  residents_.push_back(make(Priority::batch, 20));
  EXPECT_FALSE(victims(*waiting(Priority::normal, 60))) << "even without the batch one it would not fit";
  EXPECT_EQ(victims(*waiting(Priority::normal, 25))->size(), 1U);
}

TEST_F(ResidencyTest, a_lone_sequence_may_be_longer_but_not_than_the_pool) {
  EXPECT_TRUE(victims(*waiting(Priority::batch, 300)));
  residents_.push_back(make(Priority::batch, 1));
  EXPECT_FALSE(victims(*waiting(Priority::batch, 300)));
}

TEST_F(ResidencyTest, no_more_residents_than_a_step_has_tokens) {
  limits_.max_resident_tokens = 400;
  for (std::uint32_t i = 0; i < limits_.step_token_budget; ++i) residents_.push_back(make(Priority::normal, 1));
  EXPECT_FALSE(victims(*waiting(Priority::normal, 1)));
  EXPECT_EQ(victims(*waiting(Priority::urgent, 1))->size(), 1U);
}

TEST_F(ResidencyTest, pages_are_counted_whole) {
  limits_.max_resident_tokens = 400;
  for (int i = 0; i < 7; ++i) residents_.push_back(make(Priority::normal, 39));  // 49 tokens, 4 pages: 28 of 30
  EXPECT_FALSE(victims(*waiting(Priority::normal, 23)));
  EXPECT_TRUE(victims(*waiting(Priority::normal, 22)));
}

TEST_F(ResidencyTest, order_of_service_is_class_then_arrival_and_ageing_counts) {
  const auto batch = waiting(Priority::batch, 5);
  clock_.advance(limits_.ageing_step);
  const auto normal = waiting(Priority::normal, 5);
  const auto urgent = waiting(Priority::urgent, 5);
  EXPECT_TRUE(goes_before(*batch, *normal, clock_.now())) << "aged into the same class, and earlier";
  EXPECT_TRUE(goes_before(*urgent, *batch, clock_.now()));
  EXPECT_FALSE(goes_before(*batch, *urgent, clock_.now()));
}

TEST_F(ResidencyTest, pages_are_taken_from_the_paused_of_the_lowest_class) {
  std::vector<std::unique_ptr<Sequence>> queued;
  EXPECT_EQ(page_victim(queued, clock_.now()), nullptr);
  queued.push_back(make(Priority::normal, 30, 20));
  queued.push_back(make(Priority::batch, 30, 30));
  queued.push_back(make(Priority::batch, 30, 20));
  for (const auto& sequence : queued) sequence->pause(clock_.now());
  queued.push_back(waiting(Priority::batch, 30));
  EXPECT_EQ(page_victim(queued, clock_.now()), queued[2].get());
  queued[2]->drop_pages(0);
  EXPECT_EQ(page_victim(queued, clock_.now()), queued[1].get());
}

}  // namespace
}  // namespace stint::sched
