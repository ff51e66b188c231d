#include "serve/adapters/resolve.h"

#include <gtest/gtest.h>

#include "tests/serve/serve_fixture.h"

namespace stint::serve {
namespace {

class ResolveTest : public ServeFixture {
 protected:
  Result<void> resolve(std::string_view model) {
    ask("/v1/messages", kAnthropicBody);
    Exchange& exchange = open();
    exchange.request.model = model;
    return run(Resolve(with_), exchange);
  }
};

TEST_F(ResolveTest, a_served_name_means_itself) {
  ASSERT_TRUE(resolve(kModel));
  EXPECT_EQ(exchange_->model.backend, "local");
  EXPECT_EQ(exchange_->model.model, kModel);
  EXPECT_EQ(metrics_.substituted_models.value(), 0u);
}

TEST_F(ResolveTest, an_unknown_name_means_the_default_and_is_counted) {
  ASSERT_TRUE(resolve("claude-x"));
  EXPECT_EQ(exchange_->model.model, kModel);
  EXPECT_EQ(metrics_.substituted_models.value(), 1u);
}

TEST_F(ResolveTest, strict_names_refuse_it_instead) {
  generation_->model_names = plan::ModelNames({std::string(kModel)}, true);
  const Result<void> result = resolve("claude-x");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::not_found);
  EXPECT_EQ(result.error().code, "model_not_found");
}

}  // namespace
}  // namespace stint::serve
