#include "serve/browser_guard.h"

#include "platform/net/authority.h"

namespace stint::serve {

Result<void> BrowserGuard::check(const net::Headers& headers) const {
  if (on_loopback_) {
    const Result<net::Authority> host = net::parse_authority(headers.find("host").value_or(""));
    if (!host || !net::is_loopback_host(host->host)) {
      return fail(ErrorKind::permission,
                  "Host: this server listens on loopback and answers only to localhost, 127.0.0.1 or [::1]");
    }
  }
  const std::optional<std::string_view> origin = headers.find("origin");
  if (origin && !is_listed(*origin)) {
    return fail(ErrorKind::permission,
                "Origin: pages of this origin may not call Stint; add it to listen.cors_origins");
  }
  return {};
}

void BrowserGuard::add_cors_headers(const net::Headers& request, net::Headers& response) const {
  const std::optional<std::string_view> origin = request.find("origin");
  if (!origin || !is_listed(*origin)) return;
  response.add("access-control-allow-origin", *origin);
  response.add("access-control-expose-headers",
               "request-id, x-request-id, retry-after, server-timing, x-stint-served-by, x-stint-prefix");
  response.add("vary", "origin");
}

std::optional<net::HttpResponseHead> BrowserGuard::answer_preflight(const net::HttpRequest& request) const {
  if (request.method != "OPTIONS" || !request.headers.contains("access-control-request-method")) return std::nullopt;
  net::HttpResponseHead head{.status = 204, .headers = {}, .reason = {}};
  add_cors_headers(request.headers, head.headers);
  head.headers.add("access-control-allow-methods", "GET, POST, HEAD");
  const std::optional<std::string_view> wanted = request.headers.find("access-control-request-headers");
  if (wanted) head.headers.add("access-control-allow-headers", *wanted);
  head.headers.add("access-control-max-age", "600");
  return head;
}

bool BrowserGuard::is_listed(std::string_view origin) const {
  return std::ranges::find(cors_origins_, origin) != cors_origins_.end();
}

}  // namespace stint::serve
