// MemoryStream: two ends of a connection inside one process, for tests of everything that speaks over a Stream. Reads
// can be cut into small pieces, writes held back by a full pipe, closing and resetting observed, all without a socket
// or a delay.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "platform/net/stream.h"

namespace stint::net {

class MemoryStream final : public Stream {
 public:
  static constexpr std::size_t kCapacityDefault = 64 * 1024;

  // `capacity`: bytes in each direction that can be written before the other end reads them.
  static std::pair<std::unique_ptr<MemoryStream>, std::unique_ptr<MemoryStream>> make_pair(
      std::size_t capacity = kCapacityDefault);
  ~MemoryStream() override;

  Result<std::optional<std::size_t>> try_read(std::span<char> buffer) override;
  Result<std::size_t> try_write(std::span<const std::string_view> pieces) override;
  Notify& readable() override { return readable_; }
  Notify& writable() override { return writable_; }
  Latch& peer_closed() override { return peer_closed_; }
  void shutdown_write() override;
  void close() override;
  std::string peer_name() const override { return "memory"; }

  // No read of this end gives more than that many bytes.
  void set_read_size_max(std::size_t size) { read_size_max_ = size; }
  // As a TCP reset: the peer's reads and writes fail, what it has not read is lost.
  void reset();
  // Everything that the peer has written and this end has not read.
  std::string take_all();

 private:
  struct Pipe {
    std::string bytes;
    std::size_t capacity = kCapacityDefault;
    bool ended = false;  // no more bytes will come
    bool reset = false;
  };

  MemoryStream(std::shared_ptr<Pipe> incoming, std::shared_ptr<Pipe> outgoing);

  std::shared_ptr<Pipe> incoming_;
  std::shared_ptr<Pipe> outgoing_;
  MemoryStream* peer_ = nullptr;  // null once the other end is destroyed
  std::size_t read_size_max_ = std::numeric_limits<std::size_t>::max();
  bool closed_ = false;
  Notify readable_;
  Notify writable_;
  Latch peer_closed_;
};

}  // namespace stint::net
