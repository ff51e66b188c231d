#include "app/protocol_failure.h"

#include "serve/api/error_body.h"
#include "serve/api/routes.h"

namespace stint::app {

std::pair<net::HttpResponseHead, std::string> format_protocol_failure(const net::ProtocolFailure& failure) {
  const std::string_view path = failure.target.substr(0, failure.target.find('?'));
  const chat::DialectId dialect = api::guess_dialect(path, failure.headers->contains("anthropic-version"));
  api::ErrorReply reply = api::encode_error(failure.error, {.dialect = dialect});
  net::HttpResponseHead head{.status = failure.status, .headers = {}, .reason = {}};
  for (const auto& [name, value] : reply.headers) {
    if (!value.empty()) head.headers.add(name, value);
  }
  return {std::move(head), std::move(reply.body)};
}

}  // namespace stint::app
