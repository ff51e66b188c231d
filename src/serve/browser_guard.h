// BrowserGuard: keeps web pages from using a Stint that listens on loopback with the rights of whoever opened the page.
// Two doors: a page of another origin sends an Origin header (refused unless listed), and a page whose own name was
// made to resolve to 127.0.0.1 sends a Host that is no loopback name (refused on loopback listeners). Immutable;
// thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/result.h"
#include "platform/net/http_message.h"

namespace stint::serve {

class BrowserGuard {
 public:
  BrowserGuard(bool on_loopback, std::vector<std::string> cors_origins)
      : on_loopback_(on_loopback), cors_origins_(std::move(cors_origins)) {}

  // Errors: permission, saying which header and which setting.
  Result<void> check(const net::Headers& headers) const;
  // The headers that let an allowed page read the answer; nothing for callers that are no foreign page.
  void add_cors_headers(const net::Headers& request, net::Headers& response) const;
  // The answer to a preflight (OPTIONS with Access-Control-Request-Method); nullopt if `request` is none.
  // Requires that check() has passed.
  std::optional<net::HttpResponseHead> answer_preflight(const net::HttpRequest& request) const;

 private:
  bool is_listed(std::string_view origin) const;

  bool on_loopback_;
  std::vector<std::string> cors_origins_;
};

}  // namespace stint::serve
