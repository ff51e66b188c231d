// Prefill and decode speed of one path, without server and scheduler, for bench/engine.py:
//   bench_model_speed MODEL TIER KV_TYPE THREADS prefill TOKENS RUNS
//   bench_model_speed MODEL TIER KV_TYPE THREADS decode SEQUENCES TOKENS CONTEXT RUNS
//   bench_model_speed MODEL TIER KV_TYPE THREADS load 0 RUNS
// Prints one figure a run: tokens per second (decode: of all sequences together, the TOKENS before CONTEXT + TOKENS),
// or, for load, milliseconds from open to ready and the resident MB after it. Token ids are arbitrary; speed does not
// depend on them.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "engine/gguf/file.h"
#include "engine/model/model.h"

namespace {

using namespace stint;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kChunkTokens = 256;

[[noreturn]] void die(const std::string& message) {
  fmt::print(stderr, "{}\n", message);
  std::exit(1);
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<model::TokenId> arbitrary_tokens(std::uint32_t count, std::uint32_t vocabulary_count) {
  std::vector<model::TokenId> tokens(count);
  for (std::uint32_t i = 0; i < count; ++i) tokens[i] = (i * 7919 + 13) % vocabulary_count;
  return tokens;
}

void prefill(model::Model& model, kv::PageTable& pages, std::span<const model::TokenId> tokens,
             model::StepOutput& output) {
  if (!pages.grow_to(static_cast<std::uint32_t>(tokens.size()))) die("the page pool is too small");
  for (std::size_t done = 0; done < tokens.size(); done += kChunkTokens) {
    const std::size_t count = std::min<std::size_t>(kChunkTokens, tokens.size() - done);
    const bool last = done + count == tokens.size();
    model::StepPlan plan;
    plan.slices.push_back({tokens.subspan(done, count), static_cast<std::uint32_t>(done), &pages, kv::Role::prefill,
                           last ? model::Want::last_logits : model::Want::nothing});
    model.run(plan, output);
  }
}

double prefill_speed(model::Model& model, kv::PagePool& pool, std::uint32_t count) {
  const std::vector<model::TokenId> tokens = arbitrary_tokens(count, model.hyperparameters().vocabulary_count);
  kv::PageTable pages(pool);
  model::StepOutput output;
  const Clock::time_point start = Clock::now();
  prefill(model, pages, tokens, output);
  return count / seconds_since(start);
}

double decode_speed(model::Model& model, kv::PagePool& pool, std::uint32_t sequences, std::uint32_t count,
                    std::uint32_t context) {
  const std::vector<model::TokenId> tokens =
      arbitrary_tokens(context + count, model.hyperparameters().vocabulary_count);
  std::vector<kv::PageTable> tables;
  model::StepOutput output;
  for (std::uint32_t i = 0; i < sequences; ++i) {
    tables.emplace_back(pool);
    prefill(model, tables.back(), std::span(tokens).first(context), output);
    if (!tables.back().grow_to(context + count)) die("the page pool is too small");
  }
  const Clock::time_point start = Clock::now();
  for (std::uint32_t position = context; position < context + count; ++position) {
    model::StepPlan plan;
    for (kv::PageTable& table : tables)
      plan.slices.push_back(
          {std::span(tokens).subspan(position, 1), position, &table, kv::Role::decode, model::Want::last_logits});
    model.run(plan, output);
  }
  return sequences * count / seconds_since(start);
}

double resident_mb() {
  std::ifstream file("/proc/self/statm");
  double total = 0;
  double resident = 0;
  file >> total >> resident;
  return resident * 4096 / 1e6;
}

std::uint32_t number(const char* text) {
  return static_cast<std::uint32_t>(std::atoi(text));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 8) die("usage: bench_model_speed MODEL TIER KV_TYPE THREADS prefill|decode|load ... (see the source)");
  const std::optional<kernels::Tier> tier = kernels::parse_tier(argv[2]);
  if (!tier) die(fmt::format("unknown tier {}; known here: {}", argv[2], kernels::available_tier_names()));
  const std::string what = argv[5];
  kernels::WorkerPool workers(number(argv[4]));
  const std::uint32_t runs = number(argv[argc - 1]);
  for (std::uint32_t run = 0; what == "load" && run < runs; ++run) {
    const Clock::time_point start = Clock::now();
    const Result<gguf::File> file = gguf::File::open(argv[1]);
    if (!file) die(file.error().message);
    const Result<std::unique_ptr<model::Model>> model = model::Model::load(*file, *tier, workers);
    if (!model) die(model.error().message);
    fmt::print("{:.1f} {:.1f}\n", seconds_since(start) * 1e3, resident_mb());
  }
  if (what == "load") return 0;
  const Result<gguf::File> file = gguf::File::open(argv[1]);
  if (!file) die(file.error().message);
  const Result<std::unique_ptr<model::Model>> model = model::Model::load(*file, *tier, workers);
  if (!model) die(model.error().message);
  const model::Hyperparameters& h = (*model)->hyperparameters();
  const bool decode = what == "decode";
  const std::uint32_t tokens = decode ? number(argv[7]) + number(argv[8]) : number(argv[6]);
  const std::uint32_t sequences = decode ? number(argv[6]) : 1;
  const kv::KvType type = std::string(argv[3]) == "f32" ? kv::KvType::f32 : kv::KvType::f16;
  kv::PagePool pool({h.layer_count, h.kv_head_count, h.head_size, type}, sequences * (tokens / kv::kPageTokens + 1));
  for (std::uint32_t run = 0; run < runs; ++run) {
    fmt::print("{:.1f}\n", decode ? decode_speed(**model, pool, sequences, number(argv[7]), number(argv[8]))
                                  : prefill_speed(**model, pool, tokens));
  }
}
