// Logger: structured lines for operators. An object that app makes and passes by reference; there is no global one.
// Thread-safe. Writing never blocks the caller: sinks of files and stderr hand the line to one writer thread over a
// bounded queue that drops its oldest lines when full. Borrows sink and clock. Prompts, answers and credentials are
// never logged; credentials are also masked by form (redact.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "platform/base/clock.h"
#include "platform/base/result.h"
#include "platform/observe/log_line.h"

namespace stint::observe {

inline constexpr std::size_t kLogQueueCountMax = 8192;    // lines waiting for the writer thread
inline constexpr std::size_t kLogLimitKeyCountMax = 256;  // keys whose repetition is remembered

class LogSink {
 public:
  virtual ~LogSink() = default;
  // Takes one line without its line break. Called from any thread.
  virtual void write(LogLevel level, std::string_view line) = 0;
  // Lines lost because the writer could not keep up.
  virtual std::uint64_t dropped_count() const { return 0; }
};

// Both start one thread and join it, everything written, on destruction.
std::unique_ptr<LogSink> make_stderr_sink();
// Appends to `path`. Errors: io, naming path and reason.
Result<std::unique_ptr<LogSink>> make_file_sink(const std::string& path);

class Logger {
 public:
  struct Options {
    LogLevel level = LogLevel::info;
    LogFormat format = LogFormat::text;
  };
  using Fields = std::initializer_list<LogField>;

  Logger(Options options, LogSink& sink, const base::Clock& clock);

  bool enabled(LogLevel level) const {
    return level >= level_.load(std::memory_order_relaxed) && level != LogLevel::off;
  }
  void set_level(LogLevel level) { level_.store(level, std::memory_order_relaxed); }

  // `event` is a literal of ours in snake_case: "listening", "upstream_failed".
  void write(LogLevel level, std::string_view event, Fields fields = {});
  void debug(std::string_view event, Fields fields = {}) { write(LogLevel::debug, event, fields); }
  void info(std::string_view event, Fields fields = {}) { write(LogLevel::info, event, fields); }
  void warning(std::string_view event, Fields fields = {}) { write(LogLevel::warning, event, fields); }
  void error(std::string_view event, Fields fields = {}) { write(LogLevel::error, event, fields); }

  // For events that a broken peer or a caller can cause at will: at most one line per `key` (e.g. the upstream's name)
  // and event within `interval`; the next one says how many were `suppressed`.
  void write_limited(LogLevel level, std::string_view event, std::string_view key, base::Duration interval,
                     Fields fields = {});

 private:
  struct Repetition {
    base::TimePoint written_at;
    std::uint64_t suppressed_count = 0;
  };
  // nullopt: keep silent; else the number of lines held back since the last.
  std::optional<std::uint64_t> admit(std::string_view event, std::string_view key, base::Duration interval);
  void emit(LogLevel level, std::string_view event, std::span<const LogField> fields);

  std::atomic<LogLevel> level_;
  const LogFormat format_;
  LogSink& sink_;
  const base::Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, Repetition, std::less<>> repetitions_;
};

}  // namespace stint::observe
