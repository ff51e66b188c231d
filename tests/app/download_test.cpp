#include "app/download.h"

#include <gtest/gtest.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "platform/crypto/sha256.h"
#include "platform/net/server.h"
#include "platform/net/socket_poller.h"

namespace stint::app {
namespace {

namespace fs = std::filesystem;

// Of "bytes=123-".
std::size_t range_begin(std::string_view range) {
  range.remove_prefix(std::string_view("bytes=").size());
  std::size_t begin = 0;
  std::from_chars(range.data(), range.data() + range.size(), begin);
  return begin;
}

// Serves one file at /file.gguf: with ranges, or cut off after some bytes, or from behind a redirect.
class FileServer final : public net::Handler {
 public:
  std::string content = std::string(300'000, 'a') + "end";
  std::string etag = "\"v1\"";
  std::size_t cut_after = std::string::npos;  // once: the connection breaks after so many bytes
  int status = 0;                             // answered instead, if not 0
  std::vector<std::string> ranges;
  std::vector<std::string> credentials;

  net::Task<void> handle(net::ServerExchange& exchange) override {
    const net::Headers& headers = exchange.request().headers;
    ranges.emplace_back(headers.find("range").value_or(""));
    credentials.emplace_back(headers.find("authorization").value_or(""));
    if (exchange.request().path() == "/moved") {
      net::HttpResponseHead head{.status = 302, .headers = {{"location", "/file.gguf"}}, .reason = {}};
      co_await exchange.respond(std::move(head), "");
      co_return;
    }
    if (status != 0) {
      co_await exchange.respond({.status = status, .headers = {}, .reason = {}}, "");
      co_return;
    }
    co_await send_content(exchange);
  }

 private:
  net::Task<void> send_content(net::ServerExchange& exchange) {
    const net::Headers& headers = exchange.request().headers;
    std::size_t from = 0;
    if (headers.find("if-range") == etag) from = range_begin(*headers.find("range"));
    net::HttpResponseHead head{.status = from == 0 ? 200 : 206, .headers = {{"etag", etag}}, .reason = {}};
    if (from != 0) {
      head.headers.add("content-range", fmt::format("bytes {}-{}/{}", from, content.size() - 1, content.size()));
    }
    const std::string_view rest = std::string_view(content).substr(from);
    if (cut_after == std::string::npos) {
      co_await exchange.respond(std::move(head), rest);
      co_return;
    }
    // A chunked body that never ends properly: returning without finish() tears the connection down.
    co_await exchange.start(std::move(head));
    co_await exchange.write(rest.substr(0, std::exchange(cut_after, std::string::npos)), base::Deadline::never());
  }
};

class DownloadTest : public ::testing::Test {
 protected:
  DownloadTest() {
    fs::create_directories(folder_);
    EXPECT_TRUE(server_.listen(poller_, "127.0.0.1", 0));
  }
  ~DownloadTest() override {
    loop_.run(server_.drain(base::Deadline::after(clock_, std::chrono::seconds(5))));
    fs::remove_all(folder_);
  }

  Result<void> fetch(std::string_view path = "/file.gguf", std::string sha256 = {}) {
    const auto url = net::parse_url(fmt::format("http://127.0.0.1:{}{}", server_.port(), path));
    Downloader downloader(client_, [this](std::uint64_t done, auto) { progress_.push_back(done); });
    return loop_.run(downloader.fetch(*url, "token", {.path = target(), .size = std::nullopt, .sha256 = sha256}));
  }
  std::string target() const { return (folder_ / "model.gguf").string(); }
  std::string content_of(const std::string& path) const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / "stint_download_test";
  const base::SystemClock clock_;
  net::SocketPoller poller_;
  net::Loop loop_{clock_, poller_};
  net::BodyBudget bodies_;
  FileServer files_;
  net::HttpServer server_{loop_, files_, bodies_, {}};
  net::Resolver resolver_;
  net::HttpClient client_{poller_, resolver_, nullptr};
  std::vector<std::uint64_t> progress_;
};

TEST_F(DownloadTest, a_file_arrives_whole_under_its_name) {
  const auto fetched = fetch("/file.gguf", crypto::to_hex(crypto::sha256(files_.content)));
  ASSERT_TRUE(fetched) << fetched.error().message;
  EXPECT_EQ(content_of(target()), files_.content);
  EXPECT_FALSE(fs::exists(target() + ".part"));
  EXPECT_FALSE(fs::exists(target() + ".part.etag"));
  ASSERT_FALSE(progress_.empty());
  EXPECT_EQ(progress_.back(), files_.content.size());
}

TEST_F(DownloadTest, a_broken_connection_is_resumed_where_it_broke) {
  files_.cut_after = 100'000;
  const auto fetched = fetch();
  ASSERT_TRUE(fetched) << fetched.error().message;
  EXPECT_EQ(content_of(target()), files_.content);
  ASSERT_EQ(files_.ranges.size(), 2u);
  EXPECT_EQ(files_.ranges[0], "");
  EXPECT_EQ(files_.ranges[1], "bytes=100000-");
}

TEST_F(DownloadTest, a_part_of_another_version_is_not_continued) {
  std::ofstream(target() + ".part") << "other bytes";
  std::ofstream(target() + ".part.etag") << "\"v0\"";
  ASSERT_TRUE(fetch());
  EXPECT_EQ(content_of(target()), files_.content);
}

TEST_F(DownloadTest, a_wrong_checksum_is_told_and_leaves_nothing) {
  const auto fetched = fetch("/file.gguf", std::string(64, '0'));
  ASSERT_FALSE(fetched);
  EXPECT_EQ(fetched.error().kind, ErrorKind::corrupt);
  EXPECT_FALSE(fs::exists(target()));
  EXPECT_FALSE(fs::exists(target() + ".part"));
}

TEST_F(DownloadTest, redirects_are_followed) {
  ASSERT_TRUE(fetch("/moved"));
  EXPECT_EQ(content_of(target()), files_.content);
  EXPECT_EQ(files_.credentials, (std::vector<std::string>{"Bearer token", "Bearer token"}));
}

TEST_F(DownloadTest, the_servers_refusal_is_an_error_of_its_kind) {
  for (const auto& [status, kind] : {std::pair(404, ErrorKind::not_found), std::pair(401, ErrorKind::authentication),
                                     std::pair(403, ErrorKind::permission), std::pair(500, ErrorKind::unavailable)}) {
    files_.status = status;
    const auto fetched = fetch();
    ASSERT_FALSE(fetched) << status;
    EXPECT_EQ(fetched.error().kind, kind) << status;
  }
}

TEST(FreeSpace, what_does_not_fit_is_told_with_both_figures) {
  EXPECT_TRUE(check_free_space(::testing::TempDir(), 1));
  const auto checked = check_free_space(::testing::TempDir(), std::uint64_t{1} << 60);
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().message.find("MB free"), std::string::npos);
}

}  // namespace
}  // namespace stint::app
