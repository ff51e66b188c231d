// models_list: the bodies of GET /v1/models and /v1/models/{id} in both shapes.
// Pure functions; thread-safe; results are owned by the caller.
// Limits: kModelPageSizeMax models a page of Anthropic's list.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "chat/event.h"
#include "platform/base/result.h"

namespace stint::api {

inline constexpr std::uint64_t kModelPageSizeMax = 1000;
inline constexpr std::uint64_t kModelPageSizeDefault = 20;

struct ModelInfo {
  std::string id;
  std::string display_name;
  std::int64_t created_unix_s = 0;
  std::string owned_by = "stint";
  std::optional<std::uint64_t> max_input_tokens;
  std::optional<std::uint64_t> max_output_tokens;
};

// One page of `models`, which stand newest first. Anthropic's query: limit (1-1000, default 20), after_id, before_id;
// OpenAI's list is always whole. Errors: invalid_request naming the parameter.
Result<std::string> encode_models(std::span<const ModelInfo> models, std::string_view query, chat::DialectId dialect);

std::string encode_model(const ModelInfo& model, chat::DialectId dialect);

}  // namespace stint::api
