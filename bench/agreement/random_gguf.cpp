// random_gguf MODEL TYPE SEED OUT: writes a small random-weight model, e.g. `random_gguf qwen3 Q4_K 7 qwen3-q4_k.gguf`.
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <string_view>

#include "tests/fakes/random_gguf.h"

int main(int argument_count, char** arguments) {
  using namespace stint;
  if (argument_count != 5) {
    fmt::print(stderr, "usage: random_gguf MODEL TYPE SEED OUT\n  MODEL: llama llama3 qwen2 qwen3 gemma3\n  TYPE: {}\n",
               gguf::supported_tensor_types());
    return 2;
  }
  const auto model = fakes::random_model_from_name(arguments[1]);
  const auto type = gguf::tensor_type_from_name(arguments[2]);
  const std::string_view seed_text = arguments[3];
  fakes::RandomGgufOptions options;
  const auto parsed = std::from_chars(seed_text.data(), seed_text.data() + seed_text.size(), options.seed);
  if (!model || !type || parsed.ec != std::errc{}) {
    fmt::print(stderr, "random_gguf: unknown model, type or seed: {} {} {}\n", arguments[1], arguments[2], seed_text);
    return 2;
  }
  options.model = *model;
  options.type = *type;
  const std::string bytes = fakes::random_gguf(options);
  std::ofstream out(arguments[4], std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (out) return 0;
  fmt::print(stderr, "random_gguf: cannot write {}\n", arguments[4]);
  return 1;
}
