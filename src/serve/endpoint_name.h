// What an endpoint is called in metrics and logs. Pure.
#pragma once

#include <string_view>

#include "serve/api/routes.h"

namespace stint::serve {

std::string_view endpoint_name(api::Endpoint endpoint);

}  // namespace stint::serve
