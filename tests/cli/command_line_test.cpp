#include "cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.h"
#include "cli/version.h"
#include "tests/fakes/temporary_file.h"

namespace stint::cli {
namespace {

using testing::HasSubstr;

struct Outcome {
  int exit_code = -1;
  std::string output;
  std::string errors;
};

Outcome stint(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "stint");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.exit_code = run(static_cast<int>(arguments.size()), arguments.data());
  outcome.output = testing::internal::GetCapturedStdout();
  outcome.errors = testing::internal::GetCapturedStderr();
  return outcome;
}

TEST(CommandLine, tells_its_version) {
  const Outcome outcome = stint({"--version"});
  EXPECT_EQ(outcome.exit_code, kExitDone);
  EXPECT_EQ(outcome.output, std::string("stint ") + kVersion + "\n");
}

TEST(CommandLine, the_help_names_every_command_and_how_to_point_an_sdk_at_it) {
  const Outcome outcome = stint({"--help"});
  EXPECT_EQ(outcome.exit_code, kExitDone);
  for (const char* word : {"serve", "chat", "pull", "tokenize", "check", "ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"}) {
    EXPECT_THAT(outcome.output, HasSubstr(word));
  }
}

TEST(CommandLine, every_command_explains_itself) {
  for (const char* command : {"serve", "chat", "pull", "tokenize", "check"}) {
    const Outcome outcome = stint({command, "--help"});
    EXPECT_EQ(outcome.exit_code, kExitDone);
    EXPECT_THAT(outcome.output, HasSubstr("Usage: stint " + std::string(command)));
    EXPECT_EQ(outcome.errors, "");
  }
}

TEST(CommandLine, without_a_command_the_usage_is_wrong) {
  const Outcome outcome = stint({});
  EXPECT_EQ(outcome.exit_code, kExitUsage);
  EXPECT_THAT(outcome.errors, HasSubstr("stint --help"));
}

TEST(CommandLine, an_unknown_command_or_option_is_told_on_stderr) {
  const Outcome command = stint({"dance"});
  EXPECT_EQ(command.exit_code, kExitUsage);
  EXPECT_THAT(command.errors, HasSubstr("dance"));
  EXPECT_EQ(command.output, "");
  const Outcome option = stint({"serve", "--dance"});
  EXPECT_EQ(option.exit_code, kExitUsage);
  EXPECT_THAT(option.errors, HasSubstr("--dance"));
}

TEST(CommandLine, values_out_of_range_are_wrong_usage) {
  EXPECT_EQ(stint({"chat", "--temperature", "3"}).exit_code, kExitUsage);
}

TEST(CommandLine, serving_a_model_that_is_not_there_fails_with_the_way_out) {
  const fakes::TemporaryFile settings("");
  const Outcome outcome = stint({"serve", "-c", settings.path().c_str(), "-m", "./missing.gguf"});
  EXPECT_EQ(outcome.exit_code, kExitFailed);
  EXPECT_THAT(outcome.errors, HasSubstr("stint: the model file ./missing.gguf does not exist"));
  EXPECT_THAT(outcome.errors, HasSubstr("stint pull"));
}

TEST(CommandLine, a_public_address_without_access_keys_is_refused) {
  const fakes::TemporaryFile settings("");
  const Outcome outcome = stint({"serve", "-c", settings.path().c_str(), "-a", "0.0.0.0:4000"});
  EXPECT_EQ(outcome.exit_code, kExitFailed);
  EXPECT_THAT(outcome.errors, HasSubstr("access keys"));
}

TEST(CommandLine, check_says_what_a_good_file_means) {
  const fakes::TemporaryFile settings("listen:\n  addr: 127.0.0.1:4567\n");
  const Outcome outcome = stint({"check", settings.path().c_str()});
  EXPECT_EQ(outcome.exit_code, kExitDone) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("no problems"));
  EXPECT_THAT(outcome.output, HasSubstr("127.0.0.1:4567"));
}

TEST(CommandLine, check_names_every_problem_of_a_bad_file) {
  const fakes::TemporaryFile settings("listen:\n  apy: 1\nlog:\n  level: loud\n");
  const Outcome outcome = stint({"check", settings.path().c_str()});
  EXPECT_EQ(outcome.exit_code, kExitFailed);
  EXPECT_THAT(outcome.errors, HasSubstr("apy"));
  EXPECT_THAT(outcome.errors, HasSubstr("loud"));
}

TEST(CommandLine, check_lists_every_key) {
  const Outcome outcome = stint({"check", "--keys"});
  EXPECT_EQ(outcome.exit_code, kExitDone);
  for (const char* key : {"listen.addr", "engine.model", "models.strict", "log.level"}) {
    EXPECT_THAT(outcome.output, HasSubstr(key));
  }
}

}  // namespace
}  // namespace stint::cli
