#include "engine/model/hyperparameters.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>

namespace stint::model {

namespace {

constexpr std::array kArchitectures{Architecture::llama, Architecture::qwen2, Architecture::qwen3,
                                    Architecture::gemma3};

// Reads keys below "{architecture}." and keeps the first error, so that the reading order needs no error handling.
class Reader {
 public:
  Reader(const gguf::Metadata& metadata, std::string prefix) : metadata_(metadata), prefix_(std::move(prefix)) {}

  std::string key(std::string_view name) const { return fmt::format("{}.{}", prefix_, name); }
  bool has(std::string_view name) const { return metadata_.contains(key(name)); }

  // In [1, limit].
  std::uint32_t count(std::string_view name, std::uint32_t limit) {
    return checked(name, limit, metadata_.u32(key(name)));
  }
  std::uint32_t count(std::string_view name, std::uint32_t limit, std::uint32_t fallback) {
    return checked(name, limit, metadata_.u32(key(name), fallback));
  }

  // Positive.
  double number(std::string_view name, double fallback) {
    const Result<double> value = metadata_.number(key(name), fallback);
    if (!value) return keep(value.error()), fallback;
    if (*value > 0 && *value < 1e30) return *value;
    keep(Error{ErrorKind::corrupt,
               fmt::format("The model's key {} is {}; expected a positive number.", key(name), *value),
               {},
               {}});
    return fallback;
  }

  std::string text(std::string_view name, std::string_view fallback) {
    const Result<std::string_view> value = metadata_.string(key(name), fallback);
    if (!value) return keep(value.error()), std::string(fallback);
    return std::string(*value);
  }

  void keep(Error error) {
    if (!error_) error_ = std::move(error);
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  std::uint32_t checked(std::string_view name, std::uint32_t limit, const Result<std::uint32_t>& value) {
    if (!value) return keep(value.error()), 1;
    if (*value >= 1 && *value <= limit) return *value;
    keep(Error{ErrorKind::corrupt,
               fmt::format("The model's key {} is {}; expected 1 to {}.", key(name), *value, limit),
               {},
               {}});
    return 1;
  }

  const gguf::Metadata& metadata_;
  std::string prefix_;
  std::optional<Error> error_;
};

Result<Architecture> read_architecture(const gguf::Metadata& metadata) {
  const Result<std::string_view> name = metadata.string("general.architecture");
  if (!name) return std::unexpected(name.error());
  for (const Architecture architecture : kArchitectures)
    if (to_string(architecture) == *name) return architecture;
  return fail(
      ErrorKind::unsupported,
      fmt::format("The model's architecture \"{}\" is not supported; llama, qwen2, qwen3 and gemma3 are.", *name));
}

void read_shape(Reader& reader, const gguf::Metadata& metadata, Hyperparameters& h) {
  h.layer_count = reader.count("block_count", kLayerCountMax);
  h.embedding_size = reader.count("embedding_length", kWidthMax);
  h.feed_forward_size = reader.count("feed_forward_length", kWidthMax);
  h.context_tokens = reader.count("context_length", kContextMax);
  h.head_count = reader.count("attention.head_count", kHeadCountMax);
  h.kv_head_count = reader.count("attention.head_count_kv", kHeadCountMax, h.head_count);
  h.head_size = reader.count("attention.key_length", kHeadSizeMax, std::max(1U, h.embedding_size / h.head_count));
  const std::uint32_t value_size = reader.count("attention.value_length", kHeadSizeMax, h.head_size);
  const std::uint32_t rope_size = reader.count("rope.dimension_count", kHeadSizeMax, h.head_size);
  h.norm_epsilon = static_cast<float>(reader.number("attention.layer_norm_rms_epsilon", 1e-5));
  if (h.head_count % h.kv_head_count != 0) {
    reader.keep(Error{ErrorKind::corrupt,
                      fmt::format("The model has {} query heads, which {} key-value heads cannot share evenly.",
                                  h.head_count, h.kv_head_count),
                      {},
                      {}});
  }
  if (h.head_size % 2 != 0 || value_size != h.head_size || rope_size != h.head_size) {
    reader.keep(Error{ErrorKind::unsupported,
                      fmt::format("The model's key, value and rope sizes of a head are {}, {} and {}; only one even "
                                  "number for all three is supported.",
                                  h.head_size, value_size, rope_size),
                      {},
                      {}});
  }
  // The token list is the truth; {a}.vocab_size is missing in many files.
  const gguf::Value* tokens = metadata.find("tokenizer.ggml.tokens");
  const std::uint64_t listed = tokens != nullptr && tokens->type == gguf::ValueType::array ? tokens->count : 0;
  if (listed > kVocabularyCountMax) {
    reader.keep(Error{ErrorKind::corrupt,
                      fmt::format("The model's key tokenizer.ggml.tokens lists {} tokens; at most {} are supported.",
                                  listed, kVocabularyCountMax),
                      {},
                      {}});
  }
  h.vocabulary_count =
      listed != 0 ? static_cast<std::uint32_t>(listed) : reader.count("vocab_size", kVocabularyCountMax);
}

void read_rope(Reader& reader, Hyperparameters& h) {
  h.rope_base = reader.number("rope.freq_base", 10000);
  const std::string scaling = reader.text("rope.scaling.type", "none");
  if (scaling == "linear") {
    h.rope_position_scale = 1 / reader.number("rope.scaling.factor", 1);
  } else if (scaling != "none") {
    reader.keep(Error{ErrorKind::unsupported,
                      fmt::format("The model's key {} is \"{}\"; only none and linear are supported.",
                                  reader.key("rope.scaling.type"), scaling),
                      {},
                      {}});
  } else if (reader.has("rope.scale_linear")) {
    h.rope_position_scale = 1 / reader.number("rope.scale_linear", 1);
  }
}

void read_gemma3(Reader& reader, Hyperparameters& h) {
  h.embedding_scale = std::sqrt(static_cast<float>(h.embedding_size));
  h.activation = Activation::gelu_tanh;
  h.query_key_norm = true;
  h.post_norm = true;
  if (reader.has("attention.sliding_window")) h.window_tokens = reader.count("attention.sliding_window", kContextMax);
  h.window_pattern = reader.count("attention.sliding_window_pattern", kLayerCountMax, 6);
  h.rope_base_local = reader.number("rope.freq_base_swa", 10000);
  if (reader.has("final_logit_softcapping"))
    h.logit_softcap = static_cast<float>(reader.number("final_logit_softcapping", 1));
  // Gemma 3 27B (62 layers) divides by the embedding's share of a head instead of the head's size.
  if (h.layer_count == 62)
    h.attention_scale = 1 / std::sqrt(static_cast<float>(h.embedding_size) / static_cast<float>(h.head_count));
}

}  // namespace

std::string_view to_string(Architecture architecture) {
  switch (architecture) {
    case Architecture::llama:
      return "llama";
    case Architecture::qwen2:
      return "qwen2";
    case Architecture::qwen3:
      return "qwen3";
    case Architecture::gemma3:
      return "gemma3";
  }
  return "";
}

Result<Hyperparameters> Hyperparameters::read(const gguf::Metadata& metadata) {
  const Result<Architecture> architecture = read_architecture(metadata);
  if (!architecture) return std::unexpected(architecture.error());
  Hyperparameters h;
  h.architecture = *architecture;
  Reader reader(metadata, std::string(to_string(h.architecture)));
  read_shape(reader, metadata, h);
  h.attention_scale = 1 / std::sqrt(static_cast<float>(h.head_size));
  h.rope_pairing = h.architecture == Architecture::llama ? RopePairing::adjacent : RopePairing::halves;
  h.query_key_norm = h.architecture == Architecture::qwen3;
  read_rope(reader, h);
  if (h.architecture == Architecture::gemma3) read_gemma3(reader, h);
  if (reader.has("attention.scale")) h.attention_scale = static_cast<float>(reader.number("attention.scale", 1));
  if (reader.error()) return std::unexpected(*reader.error());
  return h;
}

}  // namespace stint::model
