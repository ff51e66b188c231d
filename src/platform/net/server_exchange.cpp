#include "platform/net/server_exchange.h"

namespace stint::net {

std::pair<HttpResponseHead, std::string> format_failure_as_text(const ProtocolFailure& failure) {
  HttpResponseHead head;
  head.status = failure.status;
  head.headers.add("content-type", "text/plain; charset=utf-8");
  return {std::move(head), failure.error.message + "\n"};
}

}  // namespace stint::net
