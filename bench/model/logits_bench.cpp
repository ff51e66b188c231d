// Streams the logits of one path of ours to stdout, for bench/agreement.py:
//   bench_model_logits MODEL TIER KV_TYPE THREADS WINDOW TOKEN_FILE
//   bench_model_logits tiers                 the tiers of this machine, slowest first
//   bench_model_logits vocabulary MODEL      the number of logits in a row
// TOKEN_FILE: u32 ids, little endian, cut into windows of WINDOW tokens, each run from an empty context. For every
// token one row of f32 logits, as long as the vocabulary.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "engine/gguf/file.h"
#include "engine/model/model.h"

namespace {

using namespace stint;

constexpr std::uint32_t kChunkTokens = 128;  // bounds the logits held at once

[[noreturn]] void die(const std::string& message) {
  fmt::print(stderr, "{}\n", message);
  std::exit(1);
}

std::vector<model::TokenId> read_tokens(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) die("cannot read " + path);
  std::vector<model::TokenId> tokens(static_cast<std::size_t>(file.tellg()) / sizeof(model::TokenId));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(tokens.data()),
            static_cast<std::streamsize>(tokens.size() * sizeof(model::TokenId)));
  return tokens;
}

void stream_window(model::Model& model, kv::PagePool& pool, std::span<const model::TokenId> window) {
  kv::PageTable pages(pool);
  if (!pages.grow_to(static_cast<std::uint32_t>(window.size()))) die("window longer than the pool");
  model::StepOutput output;
  for (std::size_t done = 0; done < window.size(); done += kChunkTokens) {
    const std::size_t count = std::min<std::size_t>(kChunkTokens, window.size() - done);
    model::StepPlan plan;
    plan.slices.push_back({window.subspan(done, count), static_cast<std::uint32_t>(done), &pages, kv::Role::prefill,
                           model::Want::all_logits});
    model.run(plan, output);
    if (std::fwrite(output.logits.data(), sizeof(float), output.logits.size(), stdout) != output.logits.size())
      die("the reader of the logits left");
  }
}

void print_tiers() {
  for (const kernels::Tier tier : kernels::all_tiers())
    if (kernels::is_available(tier)) fmt::print("{}\n", kernels::to_string(tier));
}

void print_vocabulary(const char* path) {
  const Result<gguf::File> file = gguf::File::open(path);
  if (!file) die(file.error().message);
  const Result<model::Hyperparameters> h = model::Hyperparameters::read(file->metadata());
  if (!h) die(h.error().message);
  fmt::print("{}\n", h->vocabulary_count);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "tiers") return print_tiers(), 0;
  if (argc == 3 && std::string(argv[1]) == "vocabulary") return print_vocabulary(argv[2]), 0;
  if (argc != 7) die("usage: bench_model_logits MODEL TIER KV_TYPE THREADS WINDOW TOKEN_FILE");
  const std::optional<kernels::Tier> tier = kernels::parse_tier(argv[2]);
  if (!tier) die(fmt::format("unknown tier {}; known here: {}", argv[2], kernels::available_tier_names()));
  const Result<gguf::File> file = gguf::File::open(argv[1]);
  if (!file) die(file.error().message);
  kernels::WorkerPool workers(static_cast<std::uint32_t>(std::atoi(argv[4])));
  const Result<std::unique_ptr<model::Model>> model = model::Model::load(*file, *tier, workers);
  if (!model) die(model.error().message);
  const model::Hyperparameters& h = (*model)->hyperparameters();
  const auto window = static_cast<std::uint32_t>(std::atoi(argv[5]));
  const kv::KvType type = std::string(argv[3]) == "f32" ? kv::KvType::f32 : kv::KvType::f16;
  kv::PagePool pool({h.layer_count, h.kv_head_count, h.head_size, type}, window / kv::kPageTokens + 1);
  const std::vector<model::TokenId> tokens = read_tokens(argv[6]);
  for (std::size_t begin = 0; begin + window <= tokens.size(); begin += window)
    stream_window(**model, pool, std::span(tokens).subspan(begin, window));
}
