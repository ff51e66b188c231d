#include "platform/net/memory_stream.h"

namespace stint::net {

std::pair<std::unique_ptr<MemoryStream>, std::unique_ptr<MemoryStream>> MemoryStream::make_pair(std::size_t capacity) {
  auto forward = std::make_shared<Pipe>();
  auto backward = std::make_shared<Pipe>();
  forward->capacity = backward->capacity = capacity;
  std::unique_ptr<MemoryStream> a(new MemoryStream(backward, forward));
  std::unique_ptr<MemoryStream> b(new MemoryStream(forward, backward));
  a->peer_ = b.get();
  b->peer_ = a.get();
  return {std::move(a), std::move(b)};
}

MemoryStream::MemoryStream(std::shared_ptr<Pipe> incoming, std::shared_ptr<Pipe> outgoing)
    : incoming_(std::move(incoming)), outgoing_(std::move(outgoing)) {}

MemoryStream::~MemoryStream() {
  close();
  if (peer_ != nullptr) peer_->peer_ = nullptr;
}

Result<std::optional<std::size_t>> MemoryStream::try_read(std::span<char> buffer) {
  if (closed_) return fail(ErrorKind::cancelled, "The connection was closed here.");
  if (incoming_->reset) return fail(ErrorKind::io, "The peer reset the connection.");
  std::string& bytes = incoming_->bytes;
  if (bytes.empty()) {
    if (incoming_->ended) return std::optional<std::size_t>(0);
    return std::optional<std::size_t>();
  }
  const std::size_t size = std::min({buffer.size(), bytes.size(), read_size_max_});
  std::memcpy(buffer.data(), bytes.data(), size);
  bytes.erase(0, size);
  if (peer_ != nullptr) peer_->writable_.notify_all();
  return std::optional<std::size_t>(size);
}

Result<std::size_t> MemoryStream::try_write(std::span<const std::string_view> pieces) {
  if (closed_ || outgoing_->ended) return fail(ErrorKind::cancelled, "The connection was closed here.");
  if (incoming_->reset || outgoing_->reset || peer_ == nullptr || peer_->closed_) {
    return fail(ErrorKind::io, "The peer closed the connection.");
  }
  std::size_t taken = 0;
  for (const std::string_view piece : pieces) {
    const std::size_t room = outgoing_->capacity - outgoing_->bytes.size();
    outgoing_->bytes.append(piece.substr(0, room));
    taken += std::min(room, piece.size());
  }
  if (taken > 0) peer_->readable_.notify_all();
  return taken;
}

void MemoryStream::shutdown_write() {
  outgoing_->ended = true;
  if (peer_ == nullptr) return;
  peer_->readable_.notify_all();
  peer_->peer_closed_.set();
}

void MemoryStream::close() {
  if (closed_) return;
  closed_ = true;
  readable_.notify_all();
  writable_.notify_all();
  shutdown_write();
  if (peer_ != nullptr) peer_->writable_.notify_all();
}

void MemoryStream::reset() {
  outgoing_->reset = incoming_->reset = true;
  close();
}

std::string MemoryStream::take_all() {
  std::string all = std::exchange(incoming_->bytes, {});
  if (peer_ != nullptr) peer_->writable_.notify_all();
  return all;
}

}  // namespace stint::net
