// How a failure that net meets before there is an exchange is told: in the dialect that the request line suggests.
// Pure.
#pragma once

#include "platform/net/server_exchange.h"

namespace stint::app {

std::pair<net::HttpResponseHead, std::string> format_protocol_failure(const net::ProtocolFailure& failure);

}  // namespace stint::app
