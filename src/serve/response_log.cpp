#include "serve/response_log.h"

#include <algorithm>

#include "platform/base/limits.h"

namespace stint::serve {

namespace {

// What an event costs to keep: its bytes, and what the containers around them weigh at least.
std::size_t size_of(const chat::Event& event) {
  return sizeof(chat::Event) + chat::content_size(event);
}

bool is_last(const chat::Event& event) {
  return event.kind == chat::Event::Kind::finish || event.kind == chat::Event::Kind::error;
}

}  // namespace

class ResponseLog::Cursor final : public backends::EventStream {
 public:
  Cursor(std::shared_ptr<ResponseLog> log, std::uint64_t position) : log_(std::move(log)), position_(position) {
    log_->cursors_.push_back(this);
  }
  ~Cursor() override {
    std::erase(log_->cursors_, this);
    log_->reader_left();
  }

  net::Task<Result<chat::Event>> next(base::Deadline deadline) override {
    while (!cancelled_) {
      const std::uint64_t index = position_ - log_->dropped_count_;
      if (index < log_->events_.size()) co_return take(index);
      if (log_->finished_) break;
      if (co_await log_->appended_.wait(deadline)) continue;
      if ((co_await net::current_scope()).cancelled()) break;
      co_return fail(ErrorKind::timeout, "no event within the deadline");
    }
    co_return fail(ErrorKind::cancelled, "the answer was cancelled");
  }

  void cancel() override {
    cancelled_ = true;
    log_->appended_.notify_all();
  }

  std::uint64_t position() const { return position_; }

 private:
  chat::Event take(std::uint64_t index) {
    ++position_;
    // A window with one reader hands the event over instead of copying it.
    const bool sole_reader = !log_->keeps_everything() && log_->cursors_.size() == 1;
    if (!sole_reader) {
      chat::Event copy = log_->events_[index];
      log_->drop_read_events();
      return copy;
    }
    log_->kept_size_ -= size_of(log_->events_[index]);
    chat::Event event = std::move(log_->events_[index]);
    log_->events_[index] = {};
    log_->kept_size_ += size_of(log_->events_[index]);
    log_->drop_read_events();
    return event;
  }

  std::shared_ptr<ResponseLog> log_;
  std::uint64_t position_;
  bool cancelled_ = false;
};

ResponseLog::ResponseLog(Private, net::Loop& loop, std::unique_ptr<backends::EventStream> source, Policy policy)
    : loop_(loop), source_(std::move(source)), policy_(policy) {}

std::shared_ptr<ResponseLog> ResponseLog::start(net::Loop& loop, std::unique_ptr<backends::EventStream> source,
                                                Policy policy) {
  auto log = std::make_shared<ResponseLog>(Private{}, loop, std::move(source), policy);
  loop.spawn(produce(log));
  return log;
}

std::unique_ptr<backends::EventStream> ResponseLog::open_cursor() {
  STINT_ASSERT(replayable());
  abandoned_ = false;
  return std::make_unique<Cursor>(shared_from_this(), 0);
}

net::Task<void> ResponseLog::produce(std::shared_ptr<ResponseLog> log) {
  while (!log->finished_ && co_await log->wait_for_room()) {
    Result<chat::Event> event = co_await log->source_->next(base::Deadline::never());
    if (!event) {
      if (event.error().kind == ErrorKind::cancelled) break;
      log->append({.kind = chat::Event::Kind::error, .error = std::move(event.error())});
      break;
    }
    log->append(std::move(*event));
  }
  log->finished_ = true;
  log->source_.reset();
  log->appended_.notify_all();
}

net::Task<bool> ResponseLog::wait_for_room() {
  while (!abandoned_ && !keeps_everything() && kept_size_ >= base::kAnswerWindowSize) {
    if (!co_await room_.wait(base::Deadline::never())) co_return false;
  }
  co_return !abandoned_;
}

void ResponseLog::append(chat::Event event) {
  finished_ = is_last(event);
  kept_size_ += size_of(event);
  events_.push_back(std::move(event));
  appended_.notify_all();
}

bool ResponseLog::keeps_everything() const {
  return policy_.replayable && kept_size_ < base::kAnswerSizeMax;
}

void ResponseLog::drop_read_events() {
  if (keeps_everything() || cursors_.empty()) return;
  std::uint64_t slowest = cursors_.front()->position();
  for (const Cursor* cursor : cursors_) slowest = std::min(slowest, cursor->position());
  while (dropped_count_ < slowest) {
    kept_size_ -= size_of(events_.front());
    events_.pop_front();
    ++dropped_count_;
  }
  if (kept_size_ < base::kAnswerWindowSize) room_.notify_all();
}

void ResponseLog::reader_left() {
  if (!cursors_.empty()) {
    drop_read_events();
    return;
  }
  if (finished_) return;
  linger_until_ = base::Deadline::after(loop_.clock(), policy_.linger);
  loop_.spawn(stop_after_linger(shared_from_this(), linger_until_));
}

net::Task<void> ResponseLog::stop_after_linger(std::shared_ptr<ResponseLog> log, base::Deadline until) {
  co_await net::sleep_until(until);
  const bool left_again_since = until.at != log->linger_until_.at;
  if (!log->cursors_.empty() || log->finished_ || left_again_since) co_return;
  log->abandoned_ = true;
  if (log->source_) log->source_->cancel();
  log->room_.notify_all();
}

}  // namespace stint::serve
