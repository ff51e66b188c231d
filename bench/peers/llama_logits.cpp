// Streams llama.cpp's logits to stdout in the form of bench/model/logits_bench.cpp. Built by bench/agreement.py against
// a built llama.cpp, never part of the product:
//   llama_logits MODEL f16|f32 THREADS WINDOW TOKEN_FILE      logits of every token
//   llama_logits MODEL tokenize TEXT_FILE COUNT TOKEN_FILE    the first COUNT tokens of a text
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "llama.h"

namespace {

constexpr int kBatchTokens = 128;

[[noreturn]] void die(const std::string& message) {
  std::fprintf(stderr, "llama_logits: %s\n", message.c_str());
  std::exit(1);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) die("cannot read " + path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

llama_model* load(const char* path) {
  llama_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
  llama_backend_init();
  llama_model* model = llama_model_load_from_file(path, llama_model_default_params());
  if (model == nullptr) die(std::string("cannot load ") + path);
  return model;
}

void tokenize(const llama_vocab* vocab, const std::string& text, std::size_t count, const std::string& out_path) {
  std::vector<llama_token> tokens(text.size() + 8);
  const int found = llama_tokenize(vocab, text.data(), static_cast<int>(text.size()), tokens.data(),
                                   static_cast<int>(tokens.size()), true, false);
  if (found < 0) die("cannot tokenize");
  tokens.resize(std::min(count, static_cast<std::size_t>(found)));
  std::ofstream(out_path, std::ios::binary)
      .write(reinterpret_cast<const char*>(tokens.data()),
             static_cast<std::streamsize>(tokens.size() * sizeof(llama_token)));
}

void stream_window(llama_context* context, llama_token* window, int size, int vocabulary_count) {
  llama_memory_clear(llama_get_memory(context), true);
  for (int done = 0; done < size; done += kBatchTokens) {
    const int count = std::min(kBatchTokens, size - done);
    llama_batch batch = llama_batch_init(count, 0, 1);
    for (int i = 0; i < count; ++i) {
      batch.token[i] = window[done + i];
      batch.pos[i] = done + i;
      batch.n_seq_id[i] = 1;
      batch.seq_id[i][0] = 0;
      batch.logits[i] = 1;
    }
    batch.n_tokens = count;
    if (llama_decode(context, batch) != 0) die("decode failed");
    for (int i = 0; i < count; ++i)
      std::fwrite(llama_get_logits_ith(context, i), sizeof(float), static_cast<std::size_t>(vocabulary_count), stdout);
    llama_batch_free(batch);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) die("usage: MODEL f16|f32 THREADS WINDOW TOKEN_FILE, or MODEL tokenize TEXT_FILE COUNT TOKEN_FILE");
  llama_model* model = load(argv[1]);
  const llama_vocab* vocab = llama_model_get_vocab(model);
  const std::string mode = argv[2];
  if (mode == "tokenize") {
    tokenize(vocab, read_file(argv[3]), static_cast<std::size_t>(std::atoll(argv[4])), argv[5]);
    return 0;
  }
  const int window = std::atoi(argv[4]);
  llama_context_params params = llama_context_default_params();
  params.n_ctx = static_cast<std::uint32_t>(window);
  params.n_batch = kBatchTokens;
  params.n_ubatch = kBatchTokens;
  params.n_threads = params.n_threads_batch = std::atoi(argv[3]);
  params.type_k = params.type_v = mode == "f32" ? GGML_TYPE_F32 : GGML_TYPE_F16;
  // Its flash attention rounds on the way (logit NMSE 1e-5 on sharp random models); the f32 base must not.
  if (mode == "f32") params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;
  llama_context* context = llama_init_from_model(model, params);
  if (context == nullptr) die("cannot make a context");
  std::string bytes = read_file(argv[5]);
  auto* tokens = reinterpret_cast<llama_token*>(bytes.data());
  const auto count = static_cast<int>(bytes.size() / sizeof(llama_token));
  for (int begin = 0; begin + window <= count; begin += window)
    stream_window(context, tokens + begin, window, llama_vocab_n_tokens(vocab));
}
