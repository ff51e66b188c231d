#include "platform/net/output_buffer.h"

#include <gtest/gtest.h>

#include "platform/net/memory_stream.h"
#include "tests/fakes/fake_loop.h"

namespace stint::net {
namespace {

using std::chrono::seconds;

class Output : public testing::Test {
 protected:
  Output() {
    std::tie(near_, far_) = MemoryStream::make_pair(10);
    output_.emplace(*near_, seconds(30));
    fake_.spawn(output_->pump());
  }
  ~Output() override { fake_.loop().shutdown(); }

  bool push(std::string_view bytes) {
    const bool pushed = output_->push(std::span(&bytes, 1)).has_value();
    fake_.settle();
    return pushed;
  }

  fakes::FakeLoop fake_;
  std::unique_ptr<MemoryStream> near_;
  std::unique_ptr<MemoryStream> far_;
  std::optional<OutputBuffer> output_;
};

TEST_F(Output, a_write_leaves_at_once_when_none_is_pending_else_joins_the_next) {
  const std::string_view bytes = "0123456";
  ASSERT_TRUE(output_->push(std::span(&bytes, 1)));  // no turn of the loop in between
  EXPECT_EQ(far_->take_all(), "0123456");
  fake_.settle();
  EXPECT_TRUE(push("0123456789ab"));
  EXPECT_TRUE(push("cd"));
  EXPECT_EQ(output_->room(), OutputBuffer::kSizeMax - 4);
  EXPECT_EQ(far_->take_all(), "0123456789");
  fake_.settle();
  EXPECT_EQ(far_->take_all(), "abcd");
  EXPECT_EQ(output_->room(), OutputBuffer::kSizeMax);
}

TEST_F(Output, waiting_until_sent_ends_with_the_last_byte) {
  EXPECT_TRUE(push("0123456789ab"));
  std::optional<Result<void>> sent;
  fake_.start(output_->wait_until_sent(), sent);
  EXPECT_FALSE(sent);
  far_->take_all();
  fake_.settle();
  EXPECT_TRUE(sent && sent->has_value());
}

TEST_F(Output, waiting_for_room_ends_when_enough_has_left) {
  EXPECT_TRUE(push(std::string(OutputBuffer::kSizeMax, 'a')));
  std::optional<Result<void>> room;
  fake_.start(output_->wait_for_room(25, base::Deadline::never()), room);
  far_->take_all();
  fake_.settle();
  EXPECT_FALSE(room);
  far_->take_all();
  fake_.settle();
  EXPECT_TRUE(room && room->has_value());
}

TEST_F(Output, an_error_of_the_stream_reaches_every_waiter_and_later_writers) {
  EXPECT_TRUE(push(std::string(OutputBuffer::kSizeMax, 'a')));
  std::optional<Result<void>> room;
  std::optional<Result<void>> sent;
  fake_.start(output_->wait_for_room(100, base::Deadline::never()), room);
  fake_.start(output_->wait_until_sent(), sent);
  far_->close();
  fake_.settle();
  ASSERT_TRUE(room && sent);
  EXPECT_FALSE(*room);
  EXPECT_FALSE(*sent);
  EXPECT_FALSE(push("a"));
}

}  // namespace
}  // namespace stint::net
