#include "serve/api/openai_sampling.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "platform/json/fields.h"
#include "serve/api/needs.h"

namespace stint::api {
namespace {

using json::Fields;
using json::Value;

constexpr std::uint32_t kChoiceCountMax = 128;
constexpr double kPenaltyMax = 2;
constexpr double kRepetitionPenaltyMin = 0.01;
constexpr double kRepetitionPenaltyMax = 10;
constexpr double kBiasMax = 100;

void read_logit_bias(const Value& bias, FieldReader& reader, chat::Sampling& sampling) {
  if (reader.failed() || !bias.given()) return;
  auto members = bias.object();
  if (!members) return reader.fail(std::move(members.error()));
  for (const json::Member member : *members) {
    if (sampling.logit_bias.size() == kLogitBiasCountMax) {
      return reader.fail(bias.error(fmt::format("holds more than {} tokens; send fewer.", kLogitBiasCountMax)));
    }
    const std::string key = *member.key.string();
    std::uint32_t token = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), token);
    if (key.empty() || error != std::errc() || end != key.data() + key.size()) {
      return reader.fail(member.value.error("the key must be a token id."));
    }
    auto value = member.value.number(-kBiasMax, kBiasMax);
    if (!value) return reader.fail(std::move(value.error()));
    sampling.logit_bias.emplace_back(token, static_cast<float>(*value));
  }
}

// vLLM's clients send -1 for "all tokens".
void read_top_k(const Value& top_k, FieldReader& reader, chat::Sampling& sampling) {
  if (reader.failed() || !top_k.given() || top_k.raw() == "-1") return;
  reader.integer(top_k, 0, std::numeric_limits<std::uint32_t>::max(), sampling.top_k);
}

void read_stream_options(const Value& options, FieldReader& reader, chat::Request& request) {
  if (reader.failed() || !options.given()) return;
  auto fields = Fields<"include_usage">::read(options);
  if (!fields) return reader.fail(std::move(fields.error()));
  reader.boolean(fields->get<"include_usage">(), request.include_usage);
}

}  // namespace

void read_openai_sampling(const Value& root, FieldReader& reader, chat::Request& request) {
  using SamplingFields =
      Fields<"temperature", "top_p", "top_k", "min_p", "repetition_penalty", "frequency_penalty", "presence_penalty",
             "seed", "logit_bias", "stop", "stream", "stream_options", "n", "user", "safety_identifier">;
  auto fields = SamplingFields::read(root);
  if (!fields) return reader.fail(std::move(fields.error()));
  chat::Sampling& sampling = request.sampling;
  reader.number(fields->get<"temperature">(), 0, 2, sampling.temperature);
  reader.number(fields->get<"top_p">(), 0, 1, sampling.top_p);
  reader.number(fields->get<"min_p">(), 0, 1, sampling.min_p);
  read_top_k(fields->get<"top_k">(), reader, sampling);
  reader.number(fields->get<"repetition_penalty">(), kRepetitionPenaltyMin, kRepetitionPenaltyMax,
                sampling.repetition_penalty);
  reader.number(fields->get<"frequency_penalty">(), -kPenaltyMax, kPenaltyMax, sampling.frequency_penalty);
  reader.number(fields->get<"presence_penalty">(), -kPenaltyMax, kPenaltyMax, sampling.presence_penalty);
  reader.seed(fields->get<"seed">(), sampling.seed);
  read_logit_bias(fields->get<"logit_bias">(), reader, sampling);
  reader.stop_strings(fields->get<"stop">(), true, request.stop_strings);
  reader.boolean(fields->get<"stream">(), request.stream);
  read_stream_options(fields->get<"stream_options">(), reader, request);
  reader.integer(fields->get<"n">(), 1, kChoiceCountMax, request.choice_count);
  if (request.choice_count > 1) note_need(request, chat::Feature::many_choices, fields->get<"n">());
  reader.text(fields->get<"safety_identifier">(), request.end_user);
  reader.text(fields->get<"user">(), request.end_user);
}

}  // namespace stint::api
