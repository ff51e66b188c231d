#include "platform/config/environment.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace stint::config {

namespace {

class FileHandle {
 public:
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  explicit FileHandle(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~FileHandle() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

std::unexpected<Error> unreadable(const std::string& path, int code) {
  const ErrorKind kind = code == ENOENT || code == ENOTDIR ? ErrorKind::not_found : ErrorKind::io;
  return fail(kind, fmt::format("{}: the file cannot be read ({})", path, std::strerror(code)));
}

}  // namespace

std::optional<std::string> SystemEnvironment::variable(const std::string& name) const {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Result<std::string> SystemEnvironment::read_file(const std::string& path, std::size_t size_max) const {
  const FileHandle file(path);
  if (file.descriptor() < 0) return unreadable(path, errno);
  struct stat status{};
  if (::fstat(file.descriptor(), &status) != 0) return unreadable(path, errno);
  if (!S_ISREG(status.st_mode)) return fail(ErrorKind::io, fmt::format("{}: this is not a regular file", path));

  // One byte more than allowed shows that there is too much, whatever size the file claims or grows to.
  std::string text(size_max + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = ::read(file.descriptor(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(path, errno);
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  if (size > size_max) {
    return fail(ErrorKind::too_large, fmt::format("{}: the file has more than {} bytes", path, size_max));
  }
  text.resize(size);
  return text;
}

}  // namespace stint::config
