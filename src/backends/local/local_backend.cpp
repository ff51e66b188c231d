#include "backends/local/local_backend.h"

#include "backends/local/local_event_stream.h"
#include "backends/local/prewarm_stream.h"
#include "backends/local/prompt.h"
#include "backends/local/sampling.h"
#include "chat/need.h"
#include "platform/base/limits.h"

namespace stint::local {

namespace {

// What the local model cannot do, told by the field that asks for it.
Result<void> check_needs(const chat::Request& request) {
  if (!request.needs.empty()) return std::unexpected(chat::refusal(request.needs.front(), "the local model"));
  const std::size_t input_count = request.prompts.size() + request.prompt_tokens.size();
  if (input_count > kInputCountMax) {
    return fail(ErrorKind::too_large,
                fmt::format("{} inputs in one call are more than the {} that the local model takes; send several calls",
                            input_count, kInputCountMax),
                request.kind == chat::CallKind::embed ? "input" : "prompt");
  }
  if (request.echo && (request.sampling.logprobs || !request.prompt_tokens.empty())) {
    return fail(ErrorKind::unsupported,
                "echo: the local model repeats text prompts without logprobs only; send text, or leave echo out",
                "echo");
  }
  return {};
}

std::uint64_t total_tokens(const std::vector<PromptTokens>& prompts) {
  std::uint64_t count = 0;
  for (const PromptTokens& prompt : prompts) count += prompt.size();
  return count;
}

}  // namespace

net::Task<Result<std::unique_ptr<backends::EventStream>>> LocalBackend::start(const backends::Call& call,
                                                                              base::Deadline) {
  const chat::Request& request = *call.request;
  Result<std::shared_ptr<engine::Engine>> engine = slot_.get();
  if (!engine) co_return std::unexpected(std::move(engine.error()));
  if (const Result<void> able = check_needs(request); !able) co_return std::unexpected(able.error());
  Result<Prompts> prompts = co_await encode(*engine, request);
  if (!prompts) co_return std::unexpected(std::move(prompts.error()));

  if (request.kind == chat::CallKind::chat && request.max_output_tokens == 0) {
    co_return std::make_unique<PrewarmStream>(total_tokens(*prompts));
  }
  const LocalEventStream::Facts facts{.prompt_tokens = total_tokens(*prompts),
                                      .wants_logprobs = request.sampling.logprobs};
  auto wake = std::make_shared<WakeSignal>(loop_);
  std::vector<engine::Ticket> tickets;
  for (std::vector<engine::TokenId>& prompt : *prompts) {
    engine::Submission submitted = submission(call, **engine, std::move(prompt));
    submitted.wake = [wake] { wake->raise(); };
    Result<engine::Ticket> ticket = (*engine)->submit(std::move(submitted));
    if (!ticket) co_return std::unexpected(std::move(ticket.error()));
    tickets.push_back(std::move(*ticket));
  }
  co_return std::make_unique<LocalEventStream>(std::move(*engine), std::move(wake), std::move(tickets), facts);
}

net::Task<Result<std::uint64_t>> LocalBackend::count_tokens(const backends::Call& call, base::Deadline) {
  Result<std::shared_ptr<engine::Engine>> engine = slot_.get();
  if (!engine) co_return std::unexpected(std::move(engine.error()));
  if (const Result<void> able = check_needs(*call.request); !able) co_return std::unexpected(able.error());
  const Result<Prompts> prompts = co_await encode(std::move(*engine), *call.request);
  if (!prompts) co_return std::unexpected(prompts.error());
  co_return total_tokens(*prompts);
}

net::Task<Result<LocalBackend::Prompts>> LocalBackend::encode(std::shared_ptr<engine::Engine> engine,
                                                              const chat::Request& request) {
  const tokenizer::Tokenizer& tokenizer = engine->tokenizer();
  const chat_template::ChatTemplate& chat_template = engine->chat_template();
  if (text_size(request) <= base::kInlineTextSizeMax) co_return encode_prompts(tokenizer, chat_template, request);
  Result<Result<Prompts>> encoded = co_await net::offload(
      worker_, [&tokenizer, &chat_template, &request] { return encode_prompts(tokenizer, chat_template, request); });
  if (!encoded) co_return std::unexpected(std::move(encoded.error()));
  co_return std::move(*encoded);
}

engine::Submission LocalBackend::submission(const backends::Call& call, const engine::Engine& engine,
                                            std::vector<engine::TokenId> prompt) {
  const chat::Request& request = *call.request;
  engine::Submission submitted;
  submitted.prompt = std::move(prompt);
  submitted.salt = call.salt;
  submitted.priority = call.urgent ? engine::Priority::urgent : engine::Priority::normal;
  if (request.kind == chat::CallKind::embed) {
    submitted.kind = engine::Submission::Kind::embed;
    return submitted;
  }
  submitted.sampling = sampling_params(request.sampling, random_.next());
  submitted.stop_strings.assign(request.stop_strings.begin(), request.stop_strings.end());
  const bool is_completion = request.kind == chat::CallKind::complete;
  const std::uint32_t tokens_default = is_completion ? kCompletionTokensDefault : engine.model_info().context_tokens;
  submitted.max_output_tokens = request.max_output_tokens.value_or(tokens_default);
  return submitted;
}

}  // namespace stint::local
