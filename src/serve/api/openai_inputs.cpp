#include "serve/api/openai_inputs.h"

#include <fmt/format.h>

#include <limits>

namespace stint::api {
namespace {

using json::Kind;
using json::Value;

Result<void> add_text(const Value& value, bool empty_allowed, chat::Request& request) {
  const auto text = value.string(request.arena);
  if (!text) return std::unexpected(text.error());
  if (text->empty() && !empty_allowed) return std::unexpected(value.error("must not be empty."));
  request.prompts.push_back(*text);
  return {};
}

Result<void> add_tokens(const Value& value, bool empty_allowed, chat::Request& request) {
  const auto elements = value.array();
  if (!elements) return std::unexpected(elements.error());
  if (elements->empty() && !empty_allowed) return std::unexpected(value.error("must not be empty."));
  std::vector<std::uint32_t>& tokens = request.prompt_tokens.emplace_back();
  for (const Value element : *elements) {
    const auto token = element.integer(0, std::numeric_limits<std::uint32_t>::max());
    if (!token) return std::unexpected(token.error());
    tokens.push_back(static_cast<std::uint32_t>(*token));
  }
  return {};
}

}  // namespace

Result<void> decode_inputs(const Value& inputs, bool empty_allowed, chat::Request& request) {
  if (inputs.is(Kind::string)) return add_text(inputs, empty_allowed, request);
  const auto elements = inputs.array();
  if (!elements) return std::unexpected(inputs.error("must be a string, an array of strings, or token ids."));
  if (elements->empty()) return std::unexpected(inputs.error("must not be empty."));
  const Kind kind = (*elements->begin()).kind();
  if (kind == Kind::number) return add_tokens(inputs, empty_allowed, request);
  std::size_t count = 0;
  for (const Value element : *elements) {
    if (++count > kInputCountMax) {
      return std::unexpected(
          inputs.error(fmt::format("holds more than {} inputs; send several requests.", kInputCountMax)));
    }
    const auto added =
        kind == Kind::array ? add_tokens(element, empty_allowed, request) : add_text(element, empty_allowed, request);
    if (!added) return added;
  }
  return {};
}

}  // namespace stint::api
