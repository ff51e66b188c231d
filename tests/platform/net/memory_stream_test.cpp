#include "platform/net/memory_stream.h"

#include <gtest/gtest.h>

#include "platform/net/stream.h"
#include "tests/fakes/fake_loop.h"

namespace stint::net {
namespace {

using std::chrono::seconds;

class MemoryPair : public testing::Test {
 protected:
  MemoryPair() { std::tie(a_, b_) = MemoryStream::make_pair(8); }
  ~MemoryPair() override { fake_.loop().shutdown(); }

  std::unique_ptr<MemoryStream> a_;
  std::unique_ptr<MemoryStream> b_;
  std::array<char, 16> buffer_{};
  fakes::FakeLoop fake_;
};

TEST_F(MemoryPair, carries_bytes_in_pieces_of_the_wanted_size) {
  const std::array<std::string_view, 3> pieces{"ab", "", "cd"};
  EXPECT_EQ(a_->try_write(pieces), std::size_t{4});
  b_->set_read_size_max(3);
  EXPECT_EQ(*b_->try_read(buffer_), 3u);
  EXPECT_EQ(*b_->try_read(buffer_), 1u);
  EXPECT_EQ(*b_->try_read(buffer_), std::nullopt);
}

TEST_F(MemoryPair, a_full_pipe_takes_no_more_until_read) {
  std::optional<Result<void>> written;
  fake_.start(write_all(*a_, "0123456789abcdef", base::Deadline::never()), written);
  EXPECT_FALSE(written);
  EXPECT_EQ(b_->take_all(), "01234567");
  fake_.settle();
  EXPECT_TRUE(written && written->has_value());
  EXPECT_EQ(b_->take_all(), "89abcdef");
}

TEST_F(MemoryPair, reading_waits_for_bytes_or_the_deadline) {
  std::optional<Result<std::size_t>> read;
  fake_.start(read_some(*b_, buffer_, base::Deadline::after(fake_.clock(), seconds(1))), read);
  fake_.advance(seconds(1));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->error().kind, ErrorKind::timeout);
  fake_.start(read_some(*b_, buffer_, base::Deadline::never()), read);
  read.reset();
  const std::string_view byte = "a";
  ASSERT_TRUE(a_->try_write(std::span(&byte, 1)));
  fake_.settle();
  EXPECT_EQ(*read, std::size_t{1});
}

TEST_F(MemoryPair, end_of_stream_comes_after_the_bytes_and_sets_peer_closed_at_once) {
  const std::string_view byte = "a";
  ASSERT_TRUE(a_->try_write(std::span(&byte, 1)));
  a_->shutdown_write();
  EXPECT_TRUE(b_->peer_closed().is_set());
  EXPECT_EQ(*b_->try_read(buffer_), 1u);
  EXPECT_EQ(*b_->try_read(buffer_), 0u);
  EXPECT_EQ(b_->try_write(std::span(&byte, 1)), std::size_t{1});
}

TEST_F(MemoryPair, closing_wakes_the_own_reader_and_fails_the_peers_writer) {
  std::optional<Result<std::size_t>> read;
  fake_.start(read_some(*a_, buffer_, base::Deadline::never()), read);
  a_->close();
  fake_.settle();
  ASSERT_TRUE(read);
  EXPECT_EQ(read->error().kind, ErrorKind::cancelled);
  const std::string_view byte = "a";
  EXPECT_EQ(b_->try_write(std::span(&byte, 1)).error().kind, ErrorKind::io);
}

}  // namespace
}  // namespace stint::net
