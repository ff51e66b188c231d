#include "serve/api/ids.h"

#include "platform/base/assert.h"

namespace stint::api {
namespace {

constexpr std::string_view kAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::size_t kRandomSize = 24;

std::string make_id(std::string_view prefix, base::Random& random) {
  std::string id(prefix);
  for (std::size_t i = 0; i < kRandomSize; ++i) id += kAlphabet[random.below(kAlphabet.size())];
  return id;
}

}  // namespace

std::string answer_id(chat::DialectId dialect, chat::CallKind kind, base::Random& random) {
  STINT_ASSERT(dialect != chat::DialectId::none);
  if (dialect == chat::DialectId::anthropic) return make_id("msg_", random);
  return make_id(kind == chat::CallKind::complete ? "cmpl-" : "chatcmpl-", random);
}

std::string request_id(base::Random& random) {
  return make_id("req_", random);
}

}  // namespace stint::api
