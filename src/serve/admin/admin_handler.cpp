#include "serve/admin/admin_handler.h"

#include "platform/net/authority.h"
#include "platform/observe/prometheus_text.h"

namespace stint::serve {

namespace {

net::HttpResponseHead plain_head(int status, std::string_view content_type = "text/plain; charset=utf-8") {
  net::HttpResponseHead head{.status = status, .headers = {}, .reason = {}};
  head.headers.add("content-type", content_type);
  return head;
}

// The same two doors against web pages as at the API port; no page has business here.
bool is_program_on_loopback(const net::Headers& headers) {
  const Result<net::Authority> host = net::parse_authority(headers.find("host").value_or(""));
  return host && net::is_loopback_host(host->host) && !headers.contains("origin");
}

}  // namespace

net::Task<void> AdminHandler::handle(net::ServerExchange& connection) {
  const net::HttpRequest& request = connection.request();
  if (!is_program_on_loopback(request.headers)) {
    co_await connection.respond(plain_head(403), "The admin port answers only to programs on this machine.\n");
  } else if (request.method != "GET" && request.method != "HEAD") {
    co_await connection.respond(plain_head(405), "Only GET is known here.\n");
  } else if (request.path() == "/metrics") {
    co_await connection.respond(plain_head(200, observe::kPrometheusContentType),
                                observe::prometheus_text(registry_.collect()));
  } else if (request.path() == "/health") {
    co_await connection.respond(plain_head(200), "ok\n");
  } else {
    co_await connection.respond(plain_head(404), "Known here: /metrics and /health.\n");
  }
}

}  // namespace stint::serve
