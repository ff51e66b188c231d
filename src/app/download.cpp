#include "app/download.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <fstream>

#include "platform/base/limits.h"
#include "platform/crypto/sha256.h"

namespace stint::app {

namespace {

constexpr std::uint64_t kFreeSpaceMargin = 64 * base::kMiB;
constexpr std::size_t kHashBlockSize = 1 * base::kMiB;
constexpr std::size_t kEtagSizeMax = 1024;

std::string system_reason() {
  return std::error_code(errno, std::generic_category()).message();
}

// An open file, closed with its owner.
class OwnedFile {
 public:
  OwnedFile() = default;
  explicit OwnedFile(int descriptor) : descriptor_(descriptor) {}
  OwnedFile(OwnedFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OwnedFile& operator=(OwnedFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~OwnedFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

Result<void> write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail(ErrorKind::io, fmt::format("{} cannot be written: {}", path, system_reason()));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

std::uint64_t size_of(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::string read_small_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kEtagSizeMax, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

Error status_error(int status, const std::string& host) {
  const auto with = [&](ErrorKind kind, std::string_view what) {
    return Error{.kind = kind, .message = fmt::format("{} answered {}: {}", host, status, what)};
  };
  if (status == 404) return with(ErrorKind::not_found, "there is no such file");
  if (status == 401) return with(ErrorKind::authentication, "it wants a credential; set HF_TOKEN");
  if (status == 403) return with(ErrorKind::permission, "it refuses; accept the model's terms there and set HF_TOKEN");
  return with(ErrorKind::unavailable, "try again later");
}

}  // namespace

struct Downloader::Transfer {
  net::Url url;
  std::string bearer_token;
  const DownloadTarget& target;
  std::string part_path;
  std::string etag_path;
  OwnedFile file;
  std::uint64_t done_size = 0;
  std::optional<std::uint64_t> total_size;
  bool complete = false;
};

net::Task<Result<void>> Downloader::fetch(net::Url url, std::string bearer_token, DownloadTarget target) {
  Transfer transfer{.url = std::move(url),
                    .bearer_token = std::move(bearer_token),
                    .target = target,
                    .part_path = target.path + ".part",
                    .etag_path = target.path + ".part.etag",
                    .total_size = target.size};
  int fruitless_count = 0;
  while (!transfer.complete) {
    const std::uint64_t before = size_of(transfer.part_path);
    const Result<void> tried = co_await attempt(transfer);
    if (tried) continue;
    const bool may_resume = tried.error().kind == ErrorKind::io || tried.error().kind == ErrorKind::timeout;
    fruitless_count = size_of(transfer.part_path) > before ? 0 : fruitless_count + 1;
    if (!may_resume || fruitless_count == kDownloadAttemptCountMax) co_return tried;
  }
  if (::fsync(transfer.file.descriptor()) != 0) {
    co_return fail(ErrorKind::io, fmt::format("{} cannot be written: {}", transfer.part_path, system_reason()));
  }
  ::unlink(transfer.etag_path.c_str());
  if (Result<void> verified = verify_file(transfer.part_path, target); !verified) {
    ::unlink(transfer.part_path.c_str());
    co_return verified;
  }
  if (::rename(transfer.part_path.c_str(), target.path.c_str()) != 0) {
    co_return fail(ErrorKind::io, fmt::format("{} cannot be put in place: {}", target.path, system_reason()));
  }
  co_return Result<void>();
}

// One connection's worth: resumes where the part ends, if the server still has the same file.
net::Task<Result<void>> Downloader::attempt(Transfer& transfer) {
  Result<std::unique_ptr<net::ClientResponse>> response = co_await ask(transfer);
  if (!response) co_return std::unexpected(std::move(response.error()));
  if (Result<void> opened = open_part(transfer, (*response)->head()); !opened) co_return opened;
  co_return co_await copy_body(transfer, **response);
}

net::Task<Result<std::unique_ptr<net::ClientResponse>>> Downloader::ask(Transfer& transfer) {
  net::Url url = transfer.url;
  const std::uint64_t have_size = size_of(transfer.part_path);
  const std::string etag = read_small_file(transfer.etag_path);
  for (int hop = 0; hop <= kRedirectCountMax; ++hop) {
    net::ClientRequest request{.url = url};
    request.headers.add("user-agent", "stint");
    if (have_size > 0 && !etag.empty()) {
      request.headers.add("range", fmt::format("bytes={}-", have_size));
      request.headers.add("if-range", etag);
    }
    // A credential goes to the host it is for and to no other.
    const bool same_host = url.authority.host == transfer.url.authority.host && url.scheme == transfer.url.scheme;
    if (!transfer.bearer_token.empty() && same_host) {
      request.headers.add("authorization", "Bearer " + transfer.bearer_token);
    }
    Result<std::unique_ptr<net::ClientResponse>> response = co_await client_.send(std::move(request));
    if (!response) co_return std::unexpected(std::move(response.error()));
    const net::HttpResponseHead& head = (*response)->head();
    if (head.status == 200 || head.status == 206) co_return response;
    const std::optional<std::string_view> location = head.headers.find("location");
    if (!is_redirect(head.status) || !location)
      co_return std::unexpected(status_error(head.status, url.authority.host));
    Result<net::Url> next = net::resolve_location(url, *location);
    if (!next) co_return std::unexpected(std::move(next.error()));
    url = std::move(*next);
  }
  co_return fail(ErrorKind::unavailable, fmt::format("{} redirects without end", transfer.url.authority.host));
}

// Positions the part file for the body that follows: at its end for 206, at the start of an empty one for 200.
Result<void> Downloader::open_part(Transfer& transfer, const net::HttpResponseHead& head) {
  const bool resumed = head.status == 206;
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (resumed ? O_APPEND : O_TRUNC);
  transfer.file = OwnedFile(::open(transfer.part_path.c_str(), flags, 0644));
  if (transfer.file.descriptor() < 0) {
    return fail(ErrorKind::io, fmt::format("{} cannot be written: {}", transfer.part_path, system_reason()));
  }
  transfer.done_size = resumed ? size_of(transfer.part_path) : 0;
  const std::string expected = fmt::format("bytes {}-", transfer.done_size);
  if (resumed && !head.headers.find("content-range").value_or("").starts_with(expected)) {
    ::unlink(transfer.part_path.c_str());
    return fail(ErrorKind::io, "the server resumed at another place than it was asked to");
  }
  const std::optional<std::uint64_t> rest = number(head.headers.find("content-length").value_or(""));
  if (rest) transfer.total_size = transfer.done_size + *rest;
  if (!resumed) {
    std::ofstream(transfer.etag_path, std::ios::binary) << head.headers.find("etag").value_or("");
  }
  if (!rest) return {};
  const std::string folder = transfer.target.path.substr(0, transfer.target.path.rfind('/') + 1);
  return check_free_space(folder.empty() ? "." : folder, *rest);
}

net::Task<Result<void>> Downloader::copy_body(Transfer& transfer, net::ClientResponse& response) {
  while (true) {
    const Result<std::string_view> piece = co_await response.read();
    if (!piece) co_return std::unexpected(piece.error());
    if (piece->empty()) break;
    if (Result<void> written = write_all(transfer.file.descriptor(), *piece, transfer.part_path); !written) {
      // A full disk does not become less full by asking again.
      written.error().kind = ErrorKind::unavailable;
      co_return written;
    }
    transfer.done_size += piece->size();
    progress_(transfer.done_size, transfer.total_size);
  }
  transfer.complete = true;
  co_return Result<void>();
}

Result<std::string> sha256_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorKind::io, fmt::format("{} cannot be read: {}", path, system_reason()));
  crypto::Sha256 hash;
  std::string block(kHashBlockSize, '\0');
  while (file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    hash.update(std::string_view(block).substr(0, static_cast<std::size_t>(file.gcount())));
  }
  if (file.bad()) return fail(ErrorKind::io, fmt::format("{} cannot be read: {}", path, system_reason()));
  return crypto::to_hex(hash.finish());
}

Result<void> check_free_space(const std::string& folder, std::uint64_t size) {
  struct statvfs status{};
  if (::statvfs(folder.c_str(), &status) != 0) return {};  // what cannot be asked is found out by writing
  const std::uint64_t free_size = static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
  if (free_size >= size + kFreeSpaceMargin) return {};
  return fail(ErrorKind::unavailable,
              fmt::format("{} has {} MB free, but the download needs {} MB; make room and run it "
                          "again",
                          folder, free_size / 1'000'000, (size + kFreeSpaceMargin) / 1'000'000));
}

Result<void> verify_file(const std::string& path, const DownloadTarget& target) {
  const std::uint64_t size = size_of(path);
  if (target.size && size != *target.size) {
    return fail(ErrorKind::corrupt,
                fmt::format("the file has {} bytes instead of {}; run the command again", size, *target.size));
  }
  if (target.sha256.empty()) return {};
  const Result<std::string> found = sha256_of_file(path);
  if (!found) return std::unexpected(found.error());
  if (*found == target.sha256) return {};
  return fail(ErrorKind::corrupt,
              fmt::format("the file's SHA-256 is {} instead of {}; run the command again, and if that "
                          "does not help the source has changed",
                          *found, target.sha256));
}

}  // namespace stint::app
