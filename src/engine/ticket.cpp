#include <iterator>
#include <utility>

#include "engine/ticket_shared.h"

namespace stint::engine {

std::optional<Output> Ticket::Shared::try_next() {
  const std::lock_guard lock(mutex_);
  if (!has_news()) return std::nullopt;
  ended_ = pending_.finish.has_value();
  return std::exchange(pending_, {});
}

Output Ticket::Shared::wait_next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_ || has_news(); });
  ended_ = ended_ || pending_.finish.has_value();
  return std::exchange(pending_, {});
}

void Ticket::Shared::add(Output&& output) {
  {
    const std::lock_guard lock(mutex_);
    pending_.text += output.text;
    std::move(output.tokens.begin(), output.tokens.end(), std::back_inserter(pending_.tokens));
    if (!output.embedding.empty()) pending_.embedding = std::move(output.embedding);
    if (output.finish) pending_.finish = std::move(output.finish);
  }
  changed_.notify_all();
}

bool Ticket::Shared::has_news() const {
  return pending_.finish || !pending_.text.empty() || !pending_.tokens.empty() || !pending_.embedding.empty();
}

Ticket::~Ticket() {
  if (shared_) shared_->cancel();
}

Ticket& Ticket::operator=(Ticket&& other) noexcept {
  if (this != &other) {
    if (shared_) shared_->cancel();
    shared_ = std::move(other.shared_);
  }
  return *this;
}

std::optional<Output> Ticket::try_next() {
  return shared_->try_next();
}

Output Ticket::wait_next() {
  return shared_->wait_next();
}

void Ticket::cancel() {
  shared_->cancel();
}

}  // namespace stint::engine
