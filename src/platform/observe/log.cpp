#include "platform/observe/log.h"

#include <fmt/format.h>
#include <spdlog/async.h>
#include <spdlog/async_logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace stint::observe {

namespace {

constexpr std::string_view kLimitSeparator = "\x1f";

// Lines go to spdlog's own writer thread; when the disk or the terminal stalls, the oldest waiting lines are lost and
// the caller goes on.
class WriterThreadSink final : public LogSink {
 public:
  explicit WriterThreadSink(spdlog::sink_ptr target)
      : pool_(std::make_shared<spdlog::details::thread_pool>(kLogQueueCountMax, 1)),
        logger_(std::make_shared<spdlog::async_logger>("stint", std::move(target), pool_,
                                                       spdlog::async_overflow_policy::overrun_oldest)) {
    logger_->set_pattern("%v");
    logger_->set_level(spdlog::level::trace);
    logger_->flush_on(spdlog::level::trace);
  }

  // The thread goes first, everything written: it uses the logger and its sink until it is joined.
  ~WriterThreadSink() override { pool_.reset(); }

  void write(LogLevel, std::string_view line) override {
    logger_->log(spdlog::level::info, spdlog::string_view_t(line.data(), line.size()));
  }

  std::uint64_t dropped_count() const override { return pool_->overrun_counter(); }

 private:
  std::shared_ptr<spdlog::details::thread_pool> pool_;
  std::shared_ptr<spdlog::async_logger> logger_;
};

}  // namespace

std::unique_ptr<LogSink> make_stderr_sink() {
  return std::make_unique<WriterThreadSink>(std::make_shared<spdlog::sinks::stderr_sink_mt>());
}

Result<std::unique_ptr<LogSink>> make_file_sink(const std::string& path) {
  try {
    return std::make_unique<WriterThreadSink>(std::make_shared<spdlog::sinks::basic_file_sink_mt>(path));
  } catch (const spdlog::spdlog_ex& error) {
    return fail(ErrorKind::io, fmt::format("{}: the log file cannot be opened ({})", path, error.what()));
  }
}

Logger::Logger(Options options, LogSink& sink, const base::Clock& clock)
    : level_(options.level), format_(options.format), sink_(sink), clock_(clock) {}

void Logger::emit(LogLevel level, std::string_view event, std::span<const LogField> fields) {
  sink_.write(level, log_line(format_, clock_.unix_seconds(), level, event, fields));
}

void Logger::write(LogLevel level, std::string_view event, Fields fields) {
  if (enabled(level)) emit(level, event, {fields.begin(), fields.size()});
}

void Logger::write_limited(LogLevel level, std::string_view event, std::string_view key, base::Duration interval,
                           Fields fields) {
  if (!enabled(level)) return;
  const std::optional<std::uint64_t> suppressed_count = admit(event, key, interval);
  if (!suppressed_count) return;
  std::vector<LogField> all(fields);
  if (*suppressed_count > 0) all.emplace(all.begin(), "suppressed", *suppressed_count);
  emit(level, event, all);
}

std::optional<std::uint64_t> Logger::admit(std::string_view event, std::string_view key, base::Duration interval) {
  const base::TimePoint now = clock_.now();
  std::string name(event);
  name += kLimitSeparator;
  name += key.substr(0, kLogValueSizeMax);
  const std::lock_guard lock(mutex_);
  const auto found = repetitions_.find(name);
  if (found == repetitions_.end()) {
    if (repetitions_.size() >= kLogLimitKeyCountMax) {
      const auto written_at = [](const auto& named) { return named.second.written_at; };
      const auto oldest = std::ranges::min_element(repetitions_, {}, written_at);
      if (now - oldest->second.written_at < interval) {
        ++oldest->second.suppressed_count;  // a flood of keys is held back like a flood of lines
        return std::nullopt;
      }
      repetitions_.erase(oldest);
    }
    repetitions_.emplace(std::move(name), Repetition{now, 0});
    return 0;
  }
  Repetition& repetition = found->second;
  if (now - repetition.written_at < interval) {
    ++repetition.suppressed_count;
    return std::nullopt;
  }
  repetition.written_at = now;
  return std::exchange(repetition.suppressed_count, 0);
}

}  // namespace stint::observe
