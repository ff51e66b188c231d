// Exchange: the state of one request, from its head to its record. Stages read and write it through their adapters; no
// other module sees it. Lives in the frame of Endpoint::handle on the io thread and borrows the connection.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "backends/event_stream.h"
#include "chat/request.h"
#include "platform/base/clock.h"
#include "platform/base/error.h"
#include "platform/net/server_exchange.h"
#include "serve/api/routes.h"
#include "serve/generation.h"
#include "serve/stage_switches.h"
#include "stages/admit/principal.h"
#include "stages/plan/planner.h"

namespace stint::serve {

// Who answered, and what it took. Filled by dispatch and encode, read by record.
struct Outcome {
  std::string served_by;  // "local/smollm2-135m"
  std::uint32_t attempt_count = 0;
  chat::Usage usage;
  std::optional<chat::FinishReason> finish_reason;
  std::optional<base::Duration> time_to_first_token;  // from the request's head to the first content event
  bool client_gone = false;
};

struct Exchange {
  Exchange(net::ServerExchange& the_connection, std::shared_ptr<const Generation> the_generation, api::Route the_route,
           base::TimePoint now)
      : connection(the_connection),
        generation(std::move(the_generation)),
        route(std::move(the_route)),
        received_at(now) {}

  net::ServerExchange& connection;
  const std::shared_ptr<const Generation> generation;
  const api::Route route;
  const base::TimePoint received_at;
  std::string request_id;
  std::string answer_id;
  std::int64_t created_unix_s = 0;
  double stage_roll = 0;  // what StageSwitches compares with the shares, one draw a request
  std::array<bool, kStageCount> bypassed{};

  admit::Principal principal;
  std::shared_ptr<const std::string> body;
  chat::Request request;
  plan::ResolvedModel model;
  plan::Plan plan;
  std::unique_ptr<backends::EventStream> stream;  // from dispatch on; stages wrap it, only encode pulls
  std::optional<std::uint64_t> token_count;       // the answer to a count_tokens call

  // The first failure; stages after it are left out, encode writes it, record counts it.
  std::optional<base::Error> failure;
  Outcome outcome;
  std::array<base::Duration, kStageCount> stage_times{};
};

}  // namespace stint::serve
