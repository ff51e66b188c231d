// Any sequence of events in its legal order makes a stream that clients can read, whatever bytes the text holds. The
// first byte picks the dialect, the rest drives the events.
#include <cstdint>
#include <string>
#include <string_view>

#include "platform/base/assert.h"
#include "serve/api/dialect.h"
#include "tests/fakes/stream_checker.h"

namespace {

using stint::chat::DialectId;
using stint::chat::Event;

// Deltas, pings and ends of choices, then finish or error.
std::vector<Event> events(std::string_view script, std::uint32_t choice_count) {
  std::vector<Event> made{{.kind = Event::Kind::start}};
  std::vector<bool> is_finished(choice_count);
  while (script.size() > 1 && made.size() < 64) {
    const auto code = static_cast<unsigned char>(script[0]);
    const std::uint32_t index = code / 8 % choice_count;
    const std::size_t size = std::min<std::size_t>(code / 4, script.size() - 1);
    Event event{.kind = code % 8 == 0   ? Event::Kind::ping
                        : code % 8 == 1 ? Event::Kind::choice_finish
                                        : Event::Kind::text_delta,
                .text = std::string(script.substr(1, size)),
                .index = index};
    script.remove_prefix(1 + size);
    if (event.kind != Event::Kind::ping && is_finished[index]) continue;
    if (event.kind == Event::Kind::choice_finish) is_finished[index] = true;
    event.logprobs = {{.sampled = {.token = event.text, .logprob = -1.0F}, .top = {}}};
    made.push_back(std::move(event));
  }
  if (!script.empty() && script.back() % 4 == 0) {
    made.push_back(
        {.kind = Event::Kind::error, .error = stint::Error{stint::ErrorKind::io, std::string(script), {}, {}}});
  } else {
    made.push_back({.kind = Event::Kind::finish,
                    .finish_reason = stint::chat::FinishReason::stop_string,
                    .stop_string = std::string(script)});
  }
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view script(reinterpret_cast<const char*>(data) + 1, size - 1);
  stint::chat::Request request;
  request.dialect = data[0] % 2 == 0 ? DialectId::anthropic : DialectId::openai;
  request.stream = true;
  request.include_usage = data[0] / 2 % 2 == 0;
  request.sampling.logprobs = data[0] / 4 % 2 == 0;
  request.choice_count = request.dialect == DialectId::anthropic ? 1 : 1 + data[0] / 8 % 3;
  if (request.dialect == DialectId::openai && data[0] / 64 % 2 == 0) {
    request.kind = stint::chat::CallKind::complete;
    request.echo = data[0] >= 128;
    request.prompts = {"a prompt"};
  }
  request.model = script.substr(0, 8);
  const auto encoder = stint::api::dialect(request.dialect).make_encoder(request, {"id", 1});
  std::string out;
  for (const Event& event : events(script, request.choice_count)) encoder->push(event, out);
  const std::string wrong =
      request.dialect == DialectId::anthropic
          ? stint::fakes::AnthropicStreamChecker().check(out, true)
          : stint::fakes::OpenaiStreamChecker(request.choice_count, request.include_usage).check(out, true);
  if (!wrong.empty()) fmt::print(stderr, "{}\n{}\n", wrong, out);
  STINT_ASSERT(wrong.empty());
  return 0;
}
