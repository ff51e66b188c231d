// Encode: pulls the answer and writes it in the client's dialect: as one body, as a stream, or as an error. The head of
// a stream is held back until the first content or until a keep-alive is due, so that a failure before that is still a
// status of its own. A client that leaves cancels the stream within one event.
#pragma once

#include "serve/api/dialect.h"
#include "serve/collaborators.h"
#include "serve/stage.h"

namespace stint::serve {

class Encode final : public Stage {
 public:
  explicit Encode(const Collaborators& with) : clock_(with.clock) {}
  StageId id() const override { return StageId::encode; }
  net::Task<Result<void>> run(Exchange& exchange) override;

 private:
  net::Task<Result<void>> write_answer(Exchange& exchange);
  net::Task<Result<void>> write_body(Exchange& exchange, api::Encoder& encoder);
  net::Task<Result<void>> write_stream(Exchange& exchange, api::Encoder& encoder);
  net::Task<Result<void>> send(Exchange& exchange, api::Encoder& encoder, std::string& bytes);
  // The stream's next event; a failure to get one is an error event.
  net::Task<chat::Event> next_event(Exchange& exchange, base::Deadline deadline);
  void observe(Exchange& exchange, const chat::Event& event);

  const base::Clock& clock_;
};

}  // namespace stint::serve
