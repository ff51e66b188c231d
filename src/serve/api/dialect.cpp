#include "serve/api/dialect.h"

#include "platform/base/assert.h"
#include "serve/api/anthropic_decode.h"
#include "serve/api/anthropic_encode.h"
#include "serve/api/openai_chat_encode.h"
#include "serve/api/openai_completion_encode.h"
#include "serve/api/openai_decode.h"
#include "serve/api/openai_embedding_encode.h"

namespace stint::api {
namespace {

class AnthropicDialect final : public Dialect {
 public:
  chat::DialectId id() const override { return chat::DialectId::anthropic; }

  Result<chat::Request> decode(Endpoint endpoint, const net::HttpRequest& http) const override {
    return decode_anthropic(endpoint, http);
  }

  std::unique_ptr<Encoder> make_encoder(const chat::Request& request, AnswerStamp stamp) const override {
    STINT_ASSERT(request.kind == chat::CallKind::chat);
    return make_anthropic_encoder(request, std::move(stamp));
  }
};

class OpenaiDialect final : public Dialect {
 public:
  chat::DialectId id() const override { return chat::DialectId::openai; }

  Result<chat::Request> decode(Endpoint endpoint, const net::HttpRequest& http) const override {
    return decode_openai(endpoint, http);
  }

  std::unique_ptr<Encoder> make_encoder(const chat::Request& request, AnswerStamp stamp) const override {
    switch (request.kind) {
      case chat::CallKind::chat:
        return make_openai_chat_encoder(request, stamp);
      case chat::CallKind::complete:
        return make_openai_completion_encoder(request, stamp);
      case chat::CallKind::embed:
        return make_openai_embedding_encoder(request);
      case chat::CallKind::count_tokens:
      case chat::CallKind::relay:
        break;
    }
    STINT_ASSERT(false);
  }
};

}  // namespace

const Dialect& dialect(chat::DialectId id) {
  static constexpr AnthropicDialect kAnthropic;
  static constexpr OpenaiDialect kOpenai;
  STINT_ASSERT(id != chat::DialectId::none);
  if (id == chat::DialectId::anthropic) return kAnthropic;
  return kOpenai;
}

}  // namespace stint::api
