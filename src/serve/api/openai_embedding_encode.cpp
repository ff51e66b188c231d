#include "serve/api/openai_embedding_encode.h"

#include "platform/json/writer.h"
#include "serve/api/base64.h"
#include "serve/api/openai_answer.h"

namespace stint::api {
namespace {

using chat::Event;
using json::Writer;

class EmbeddingEncoder final : public Encoder {
 public:
  EmbeddingEncoder(std::string_view model, bool as_base64) : model_(model), as_base64_(as_base64) {
    writer_.begin_object().member("object", "list").key("data").begin_array();
  }

  std::string_view content_type() const override { return "application/json"; }

  void push(const Event& event, std::string& out) override {
    if (event.kind == Event::Kind::embedding) add(event);
    if (event.kind != Event::Kind::finish) return;
    if (is_raw_openai(event)) {
      out += event.raw;
      return;
    }
    const std::uint64_t input_tokens = event.usage.total_input_tokens();
    writer_.end_array().member("model", model_).key("usage").begin_object();
    writer_.key("prompt_tokens").integer(input_tokens).key("total_tokens").integer(input_tokens);
    writer_.end_object().end_object();
    out += body_;
  }

  void keep_alive(std::string&) override {}

 private:
  void add(const Event& event) {
    writer_.begin_object().member("object", "embedding").key("index").integer(event.index).key("embedding");
    if (as_base64_) {
      writer_.string(base64_encode_floats(event.embedding));
    } else {
      writer_.begin_array();
      for (const float value : event.embedding) writer_.number(value);
      writer_.end_array();
    }
    writer_.end_object();
  }

  std::string model_;
  bool as_base64_;
  std::string body_;
  Writer writer_{body_};
};

}  // namespace

std::unique_ptr<Encoder> make_openai_embedding_encoder(const chat::Request& request) {
  return std::make_unique<EmbeddingEncoder>(request.model, request.embedding_base64);
}

}  // namespace stint::api
