#include "serve/api/routes.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "serve/api/percent.h"

namespace stint::api {
namespace {

using chat::DialectId;

constexpr std::string_view kModelPrefix = "/v1/models/";

// none: both dialects share the path; the headers tell.
struct Row {
  std::string_view path;
  Endpoint endpoint;
  DialectId dialect;
  std::string_view methods;
};

constexpr std::array kRows{
    Row{"/v1/messages", Endpoint::messages, DialectId::anthropic, "POST"},
    Row{"/v1/messages/count_tokens", Endpoint::count_tokens, DialectId::anthropic, "POST"},
    Row{"/v1/chat/completions", Endpoint::chat_completions, DialectId::openai, "POST"},
    Row{"/v1/completions", Endpoint::completions, DialectId::openai, "POST"},
    Row{"/v1/embeddings", Endpoint::embeddings, DialectId::openai, "POST"},
    Row{"/v1/models", Endpoint::models, DialectId::none, "GET"},
    Row{kModelPrefix, Endpoint::model, DialectId::none, "GET"},
    Row{"/api/hello", Endpoint::hello, DialectId::anthropic, "GET, HEAD"},
    Row{"/health", Endpoint::health, DialectId::none, "GET, HEAD"},
    Row{"/ready", Endpoint::ready, DialectId::none, "GET, HEAD"},
};

const Row* find_row(std::string_view path) {
  for (const Row& row : kRows) {
    const bool is_model =
        row.endpoint == Endpoint::model && path.size() > kModelPrefix.size() && path.starts_with(kModelPrefix);
    if (is_model || path == row.path) return path == kModelPrefix ? nullptr : &row;
  }
  return nullptr;
}

bool allows(std::string_view methods, std::string_view method) {
  while (!methods.empty()) {
    const std::string_view allowed = methods.substr(0, methods.find(','));
    if (allowed == method) return true;
    methods.remove_prefix(std::min(allowed.size() + 2, methods.size()));
  }
  return false;
}

}  // namespace

DialectId guess_dialect(std::string_view path, bool has_anthropic_version) {
  const bool is_anthropic_path =
      path == "/v1/messages" || path.starts_with("/v1/messages/") || path == "/v1/complete" || path == "/api/hello";
  return has_anthropic_version || is_anthropic_path ? DialectId::anthropic : DialectId::openai;
}

std::string_view allowed_methods(std::string_view path) {
  const Row* row = find_row(path);
  return row == nullptr ? std::string_view() : row->methods;
}

Result<Route> find_route(std::string_view method, std::string_view path, bool has_anthropic_version) {
  const Row* row = find_row(path);
  if (row == nullptr) {
    return fail(ErrorKind::not_found,
                fmt::format("There is no {} {} here; see /v1/models for what is served.", method, path));
  }
  if (!allows(row->methods, method)) {
    return fail(ErrorKind::method_not_allowed, fmt::format("{} does not take {}; use {}.", path, method, row->methods));
  }
  Route route{.endpoint = row->endpoint, .dialect = row->dialect, .model = {}};
  if (route.dialect == DialectId::none) route.dialect = guess_dialect(path, has_anthropic_version);
  if (route.endpoint == Endpoint::model) route.model = percent_decode(path.substr(kModelPrefix.size()));
  return route;
}

}  // namespace stint::api
