// Http1Exchange: ServerExchange over one HTTP/1 connection. Lives in the connection's frame for one request; borrows
// everything.
#pragma once

#include <optional>
#include <string>

#include "platform/net/body_budget.h"
#include "platform/net/http1_input.h"
#include "platform/net/http_date.h"
#include "platform/net/output_buffer.h"
#include "platform/net/server_exchange.h"

namespace stint::net {

class Http1Exchange final : public ServerExchange {
 public:
  struct Parts {
    Stream& stream;
    Http1Input& input;
    OutputBuffer& output;
    BodyBudget& budget;
    HttpDate& date;
    const base::Clock& clock;
    base::Duration body_stall_timeout;
    const bool& draining;
  };

  explicit Http1Exchange(const Parts& parts);

  const HttpRequest& request() const override { return parts_.input.decoder().request(); }
  std::string peer_name() const override { return parts_.stream.peer_name(); }
  Task<Result<std::shared_ptr<const std::string>>> read_body(std::size_t size_max) override;
  Task<Result<void>> respond(HttpResponseHead head, std::string_view body) override;
  Task<Result<void>> start(HttpResponseHead head) override;
  Task<Result<void>> write(std::string_view bytes, base::Deadline deadline) override;
  Task<Result<void>> finish() override;
  int status() const override { return status_; }
  Latch& client_gone() override { return parts_.stream.peer_closed(); }

  // For the connection, once the handler has returned: may another request follow, after the rest of the body was
  // discarded?
  Task<bool> finish_for_next();
  // Part of the request may still be under way to us: close gently, or the reset destroys the answer.
  bool body_unread() const { return !body_read_; }
  bool complete() const { return complete_; }

 private:
  Task<Result<std::shared_ptr<const std::string>>> receive_body(std::size_t size_max);
  Result<void> invite_body();
  // Decides about keep-alive and writes the head, framing headers included, into head_.
  void compose_head(HttpResponseHead& head, std::optional<std::size_t> body_size);
  // Sends head_ (if it has not left) and the bytes, in slices that fit the output buffer.
  Task<Result<void>> send(std::string_view bytes, base::Deadline deadline);
  Task<Result<void>> send_pieces(std::span<const std::string_view> pieces, base::Deadline deadline);
  bool body_is_small() const;

  const Parts parts_;
  std::optional<Error> body_error_;
  std::string head_;  // composed and not yet sent
  std::string chunk_line_;
  int status_ = 0;
  bool body_read_ = false;
  bool expects_continue_ = false;
  bool keep_alive_;
  bool chunked_ = false;
  bool without_body_ = false;  // HEAD, 204, 304: the body is computed but not sent
  bool complete_ = false;
};

}  // namespace stint::net
