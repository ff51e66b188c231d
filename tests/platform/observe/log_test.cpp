#include "platform/observe/log.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/memory_log_sink.h"

namespace stint::observe {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using namespace std::chrono_literals;

class LoggerTest : public testing::Test {
 protected:
  fakes::FakeClock clock_;
  fakes::MemoryLogSink sink_;
  Logger logger_{{}, sink_, clock_};
};

TEST_F(LoggerTest, writes_what_its_level_admits) {
  logger_.debug("a");
  logger_.info("b", {{"n", 1}});
  logger_.warning("c");
  logger_.error("d");
  EXPECT_THAT(sink_.lines, ElementsAre(EndsWith("info b n=1"), EndsWith("warning c"), EndsWith("error d")));
  EXPECT_THAT(sink_.levels, ElementsAre(LogLevel::info, LogLevel::warning, LogLevel::error));
}

TEST_F(LoggerTest, the_level_can_change_while_running) {
  logger_.set_level(LogLevel::error);
  logger_.warning("a");
  EXPECT_FALSE(logger_.enabled(LogLevel::warning));
  logger_.set_level(LogLevel::debug);
  logger_.debug("b");
  logger_.set_level(LogLevel::off);
  logger_.error("c");
  logger_.write(LogLevel::off, "d");
  EXPECT_THAT(sink_.lines, ElementsAre(EndsWith("debug b")));
}

TEST_F(LoggerTest, json_when_asked_for) {
  Logger logger({.level = LogLevel::info, .format = LogFormat::json}, sink_, clock_);
  logger.info("a");
  EXPECT_THAT(sink_.lines, ElementsAre(R"({"time":"2025-06-15T15:06:41Z","level":"info","event":"a"})"));
}

TEST_F(LoggerTest, repetitions_are_held_back_and_counted) {
  const auto write = [&](std::string_view key) {
    logger_.write_limited(LogLevel::warning, "down", key, 10s, {{"n", 1}});
  };
  for (int i = 0; i < 5; ++i) write("x");
  write("y");
  clock_.advance(9s);
  write("x");
  EXPECT_THAT(sink_.lines, ElementsAre(EndsWith("down n=1"), EndsWith("down n=1")));
  clock_.advance(1s);
  sink_.lines.clear();
  write("x");
  write("y");
  EXPECT_THAT(sink_.lines, ElementsAre(EndsWith("down suppressed=5 n=1"), EndsWith("down n=1")));
  clock_.advance(10s);
  sink_.lines.clear();
  write("x");
  EXPECT_THAT(sink_.lines, ElementsAre(EndsWith("down n=1"))) << "the count starts over";
}

TEST_F(LoggerTest, events_are_limited_each_for_itself) {
  logger_.write_limited(LogLevel::warning, "a", "k", 10s);
  logger_.write_limited(LogLevel::warning, "b", "k", 10s);
  EXPECT_EQ(sink_.lines.size(), 2u);
}

TEST_F(LoggerTest, a_flood_of_keys_is_held_back_too) {
  for (int i = 0; i < 2000; ++i) logger_.write_limited(LogLevel::warning, "down", fmt::format("k{}", i), 10s);
  EXPECT_EQ(sink_.lines.size(), kLogLimitKeyCountMax);
  clock_.advance(10s);
  logger_.write_limited(LogLevel::warning, "down", "new", 10s);
  EXPECT_EQ(sink_.lines.size(), kLogLimitKeyCountMax + 1);
}

TEST_F(LoggerTest, threads_may_write_at_once) {
  std::vector<std::thread> threads;
  for (int id = 0; id < 4; ++id) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        logger_.info("plain");
        logger_.write_limited(LogLevel::info, "limited", "k", 10s);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sink_.lines.size(), 801u);
}

class FileSinkTest : public testing::Test {
 protected:
  FileSinkTest() {
    std::string name = (std::filesystem::temp_directory_path() / "stint-log-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~FileSinkTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(FileSinkTest, everything_is_in_the_file_when_the_sink_is_gone) {
  const std::string path = (folder_ / "stint.log").string();
  for (int round = 0; round < 2; ++round) {
    auto sink = make_file_sink(path);
    ASSERT_TRUE(sink) << sink.error().message;
    for (int i = 0; i < 500; ++i) (*sink)->write(LogLevel::info, fmt::format("{} {} {{}} %v", round, i));
    EXPECT_EQ((*sink)->dropped_count(), 0u);
  }
  std::ifstream file(path);
  int count = 0;
  for (std::string line; std::getline(file, line); ++count) {
    EXPECT_EQ(line, fmt::format("{} {} {{}} %v", count / 500, count % 500)) << "as written, appended, in order";
  }
  EXPECT_EQ(count, 1000);
}

TEST_F(FileSinkTest, a_file_that_cannot_be_opened_is_an_error_that_names_it) {
  const std::string path = (folder_ / "file").string();
  std::ofstream(path) << "x";
  const auto sink = make_file_sink(path + "/log");
  ASSERT_FALSE(sink);
  EXPECT_EQ(sink.error().kind, ErrorKind::io);
  EXPECT_NE(sink.error().message.find(path), std::string::npos);
}

TEST(StderrSink, writes_lines_to_stderr) {
  testing::internal::CaptureStderr();
  make_stderr_sink()->write(LogLevel::info, "a line");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "a line\n");
}

}  // namespace
}  // namespace stint::observe
