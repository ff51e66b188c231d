// TemporaryFile: bytes under a name of their own, gone with the object.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "platform/base/assert.h"

namespace stint::fakes {

class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content) {
    const char* folder = ::getenv("TMPDIR");
    path_ = std::string(folder == nullptr ? "/tmp" : folder) + "/stint_test_XXXXXX";
    const int file = ::mkstemp(path_.data());
    STINT_ASSERT(file >= 0);
    while (!content.empty()) {
      const ssize_t size = ::write(file, content.data(), content.size());
      STINT_ASSERT(size > 0);
      content.remove_prefix(static_cast<std::size_t>(size));
    }
    ::close(file);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { ::unlink(path_.c_str()); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace stint::fakes
