#include "stages/plan/model_names.h"

#include "platform/base/assert.h"

namespace stint::plan {

ModelNames::ModelNames(std::vector<std::string> local_names, bool strict)
    : local_names_(std::move(local_names)), strict_(strict) {
  STINT_ASSERT(!local_names_.empty());
}

Result<ResolvedModel> ModelNames::resolve(std::string_view requested) const {
  ResolvedModel resolved{.backend = "local", .model = local_names_.front()};
  if (std::ranges::find(local_names_, requested) != local_names_.end()) return resolved;
  if (strict_) {
    return fail(ErrorKind::not_found,
                fmt::format("model: {} is not served here; use {} or switch models.strict off", requested,
                            local_names_.front()),
                "model", "model_not_found");
  }
  resolved.substituted = true;
  return resolved;
}

}  // namespace stint::plan
