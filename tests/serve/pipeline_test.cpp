#include "serve/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/serve/serve_fixture.h"

namespace stint::serve {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;

// What the probes of one pipeline saw and shall do.
struct Trace {
  fakes::FakeClock& clock;
  std::vector<StageId> ran;
  std::map<StageId, Error> failures;
};

// Stands in a stage's place: takes as many milliseconds as its position, from 1 on.
class Probe final : public Stage {
 public:
  Probe(StageId id, Trace& trace) : id_(id), trace_(trace) {}
  StageId id() const override { return id_; }
  net::Task<Result<void>> run(Exchange&) override {
    trace_.ran.push_back(id_);
    trace_.clock.advance(span(id_));
    const auto failure = trace_.failures.find(id_);
    if (failure != trace_.failures.end()) co_return std::unexpected(failure->second);
    co_return Result<void>();
  }
  static base::Duration span(StageId id) { return milliseconds(static_cast<int>(id) + 1); }

 private:
  StageId id_;
  Trace& trace_;
};

class PipelineTest : public ServeFixture {
 protected:
  ~PipelineTest() override { fake_.loop().shutdown(); }

  Pipeline probes() {
    Pipeline::Stages stages;
    for (std::size_t i = 0; i < kStageCount; ++i) {
      stages.push_back(std::make_unique<Probe>(static_cast<StageId>(i), trace_));
    }
    return Pipeline(std::move(stages), with_);
  }
  // Runs a pipeline of probes.
  Exchange& run_probes(std::string_view bypass = "", double roll = 0) {
    ask("/v1/messages", kAnthropicBody);
    Exchange& exchange = open();
    exchange.bypassed = parse_bypass(bypass);
    exchange.stage_roll = roll;
    fake_.spawn(pipeline_.run(exchange));
    return exchange;
  }
  // Runs the real one over the scripted backend.
  Exchange& run_stages(std::string_view path, std::string_view body) {
    ask(path, body);
    Exchange& exchange = open();
    fake_.spawn(real_.run(exchange));
    return exchange;
  }

  static constexpr std::array kAll{StageId::authenticate, StageId::receive,     StageId::decode, StageId::resolve,
                                   StageId::preprocess,   StageId::admit,       StageId::cache,  StageId::plan,
                                   StageId::dispatch,     StageId::postprocess, StageId::store,  StageId::encode,
                                   StageId::record};
  Trace trace_{clock(), {}, {}};
  Pipeline pipeline_ = probes();
  Pipeline real_ = make_pipeline(with_);
};

TEST_F(PipelineTest, runs_every_stage_once_in_order) {
  run_probes();
  EXPECT_THAT(trace_.ran, testing::ElementsAreArray(kAll));
}

TEST_F(PipelineTest, times_every_stage) {
  const Exchange& exchange = run_probes();
  for (const StageId id : kAll) {
    EXPECT_EQ(exchange.stage_times.at(static_cast<std::size_t>(id)), Probe::span(id)) << to_string(id);
    EXPECT_DOUBLE_EQ(metrics_.stage_seconds(id).sum(), std::chrono::duration<double>(Probe::span(id)).count());
  }
}

TEST_F(PipelineTest, a_failure_goes_straight_to_encode_and_record) {
  trace_.failures[StageId::decode] = {.kind = ErrorKind::invalid_request, .message = "no JSON"};
  const Exchange& exchange = run_probes();
  EXPECT_THAT(trace_.ran,
              ElementsAre(StageId::authenticate, StageId::receive, StageId::decode, StageId::encode, StageId::record));
  ASSERT_TRUE(exchange.failure);
  EXPECT_EQ(exchange.failure->message, "no JSON");
  EXPECT_EQ(exchange.stage_times.at(static_cast<std::size_t>(StageId::dispatch)), base::Duration::zero());
}

TEST_F(PipelineTest, the_first_failure_is_the_one_that_counts) {
  trace_.failures[StageId::admit] = {.kind = ErrorKind::rate_limited, .message = "first"};
  trace_.failures[StageId::encode] = {.kind = ErrorKind::cancelled, .message = "second"};
  const Exchange& exchange = run_probes();
  EXPECT_EQ(exchange.failure->message, "first");
  EXPECT_EQ(trace_.ran.back(), StageId::record);
}

TEST_F(PipelineTest, a_stage_that_is_switched_off_is_left_out) {
  generation_->switches.switch_all_off();
  run_probes();
  EXPECT_THAT(trace_.ran, ElementsAre(StageId::authenticate, StageId::receive, StageId::decode, StageId::resolve,
                                      StageId::plan, StageId::dispatch, StageId::encode, StageId::record));
}

TEST_F(PipelineTest, a_share_lets_the_rest_of_the_requests_pass_by) {
  generation_->switches.set_share(StageId::cache, 0.25);
  run_probes("", 0.2);
  EXPECT_THAT(trace_.ran, testing::Contains(StageId::cache));
  trace_.ran.clear();
  run_probes("", 0.25);
  EXPECT_THAT(trace_.ran, testing::Not(testing::Contains(StageId::cache)));
}

TEST_F(PipelineTest, the_bypass_header_leaves_out_optional_stages_alone) {
  run_probes("store, cache, authenticate, record");
  EXPECT_THAT(trace_.ran, testing::Not(testing::Contains(StageId::store)));
  EXPECT_THAT(trace_.ran, testing::Not(testing::Contains(StageId::cache)));
  EXPECT_THAT(trace_.ran, testing::Contains(StageId::authenticate));
  EXPECT_THAT(trace_.ran, testing::Contains(StageId::record));
}

TEST_F(PipelineTest, a_request_walks_from_its_head_to_its_record) {
  push_answer("Hello");
  const Exchange& exchange = run_stages("/v1/messages", kAnthropicBody);
  EXPECT_EQ(connection_.status(), 200);
  EXPECT_THAT(connection_.answer, HasSubstr(R"("text":"Hello")"));
  EXPECT_EQ(exchange.principal.name, "open");
  EXPECT_EQ(exchange.outcome.served_by, "local/tiny");
  EXPECT_EQ(metrics_.requests.with({"messages", "200"}).value(), 1u);
  EXPECT_EQ(metrics_.output_tokens.value(), 4u);
  EXPECT_EQ(log_.lines.size(), 1u);
}

TEST_F(PipelineTest, the_linear_flow_gives_the_same_answer) {
  generation_->switches.switch_all_off();
  push_answer("Hello");
  run_stages("/v1/chat/completions", kOpenaiStreamBody);
  EXPECT_EQ(connection_.status(), 200);
  EXPECT_THAT(connection_.answer, HasSubstr("Hello"));
  EXPECT_TRUE(connection_.complete);
}

TEST_F(PipelineTest, a_refused_request_is_recorded_too) {
  run_stages("/v1/messages", R"({"model":7})");
  EXPECT_EQ(connection_.status(), 400);
  EXPECT_TRUE(backend_.started_models.empty());
  EXPECT_EQ(metrics_.requests.with({"messages", "400"}).value(), 1u);
}

TEST_F(PipelineTest, a_client_that_leaves_is_recorded_and_its_work_cancelled) {
  push_start();
  script().push_text("Hel");
  run_stages("/v1/messages", kAnthropicStreamBody);
  connection_.leave();
  fake_.settle();
  exchange_.reset();
  fake_.settle();
  EXPECT_TRUE(script().cancelled);
  EXPECT_EQ(metrics_.requests.with({"messages", "499"}).value(), 1u);
  EXPECT_EQ(metrics_.clients_gone.value(), 1u);
}

TEST_F(PipelineTest, tokens_are_counted_without_generating) {
  backend_.token_count = 11;
  run_stages("/v1/messages/count_tokens", kAnthropicBody);
  EXPECT_EQ(connection_.answer, R"({"input_tokens":11})");
  EXPECT_TRUE(backend_.started_models.empty());
  EXPECT_EQ(metrics_.requests.with({"count_tokens", "200"}).value(), 1u);
}

}  // namespace
}  // namespace stint::serve
