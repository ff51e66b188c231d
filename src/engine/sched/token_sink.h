// TokenSink: where the scheduler delivers what one sequence produced, and learns what only the text can tell: that an
// end-of-generation token or a stop string was reached. Called on the engine driver only, except that what cancelled()
// reads may be set by any thread. The scheduler owns one sink per sequence and calls on_finish exactly once, last.
#pragma once

#include <vector>

#include "engine/messages.h"

namespace stint::sched {

enum class Verdict : std::uint8_t {
  proceed,
  end_of_generation,  // the token is no output: it is neither counted nor shown
  stop_string,
};

class TokenSink {
 public:
  virtual ~TokenSink() = default;

  // True: the sequence is not part of the next step any more.
  virtual bool cancelled() const = 0;
  virtual Verdict on_token(engine::OutputToken token) = 0;
  virtual void on_embedding(std::vector<float> embedding) = 0;
  // `finish.stop_string` is left to the sink, which knows it.
  virtual void on_finish(engine::Finish finish) = 0;
};

}  // namespace stint::sched
