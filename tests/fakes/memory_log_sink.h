// MemoryLogSink: keeps the lines that were logged. Thread-safe to write; read it when nobody writes.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "platform/observe/log.h"

namespace stint::fakes {

class MemoryLogSink final : public observe::LogSink {
 public:
  void write(observe::LogLevel level, std::string_view line) override {
    const std::lock_guard lock(mutex_);
    levels.push_back(level);
    lines.emplace_back(line);
  }

  std::vector<observe::LogLevel> levels;
  std::vector<std::string> lines;

 private:
  std::mutex mutex_;
};

}  // namespace stint::fakes
