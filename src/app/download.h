// Downloads a file over HTTP: resumable, with redirects, a free-space check and a checksum. Runs on the loop of the
// client it is given. The file appears under its name only when it is whole; until then it is NAME.part, and
// NAME.part.etag remembers which version that is a part of.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "platform/base/result.h"
#include "platform/net/client.h"

namespace stint::app {

inline constexpr int kRedirectCountMax = 5;
inline constexpr int kDownloadAttemptCountMax = 5;  // in a row without a new byte

struct DownloadTarget {
  std::string path;
  std::optional<std::uint64_t> size;  // expected
  std::string sha256;                 // expected, lower-case hexadecimal; empty: not checked
};

// Called after each piece with the bytes there are and, if known, those there will be.
using DownloadProgress = std::function<void(std::uint64_t done_size, std::optional<std::uint64_t> total_size)>;

class Downloader {
 public:
  Downloader(net::HttpClient& client, DownloadProgress progress) : client_(client), progress_(std::move(progress)) {}

  // Errors: not_found, authentication, permission (by the server's status), io (disk full, connection lost for good),
  // corrupt (size or checksum differs; the part is deleted).
  net::Task<Result<void>> fetch(net::Url url, std::string bearer_token, DownloadTarget target);

 private:
  struct Transfer;
  net::Task<Result<void>> attempt(Transfer& transfer);
  net::Task<Result<std::unique_ptr<net::ClientResponse>>> ask(Transfer& transfer);
  Result<void> open_part(Transfer& transfer, const net::HttpResponseHead& head);
  net::Task<Result<void>> copy_body(Transfer& transfer, net::ClientResponse& response);

  net::HttpClient& client_;
  const DownloadProgress progress_;
};

// The SHA-256 of a file, lower-case hexadecimal. Errors: io.
Result<std::string> sha256_of_file(const std::string& path);

// Errors: io when the file system of `folder` has less than `size` bytes (and a margin) left, with both figures.
Result<void> check_free_space(const std::string& folder, std::uint64_t size);

// Compares size and checksum with what the target expects. Errors: corrupt.
Result<void> verify_file(const std::string& path, const DownloadTarget& target);

}  // namespace stint::app
