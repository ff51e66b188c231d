// Record: metrics and one log line for every request, however it ended.
#pragma once

#include "serve/collaborators.h"
#include "serve/stage.h"

namespace stint::serve {

class Record final : public Stage {
 public:
  explicit Record(const Collaborators& with) : clock_(with.clock), logger_(with.logger), metrics_(with.metrics) {}
  StageId id() const override { return StageId::record; }
  net::Task<Result<void>> run(Exchange& exchange) override;

 private:
  void count(const Exchange& exchange, int status, base::Duration span);
  void log(const Exchange& exchange, int status, base::Duration span);

  const base::Clock& clock_;
  observe::Logger& logger_;
  RequestMetrics& metrics_;
};

}  // namespace stint::serve
