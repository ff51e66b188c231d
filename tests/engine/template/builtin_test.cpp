#include "engine/template/builtin.h"

#include <gtest/gtest.h>

#include <array>

namespace stint::chat_template {
namespace {

std::string rendered(BuiltinForm form) {
  RenderInput input;
  input.messages = {{.role = "system", .content = "S"},
                    {.role = "user", .content = " a "},
                    {.role = "assistant", .content = "b"},
                    {.role = "tool", .content = "c"}};
  input.bos_token = "<s>";
  input.eos_token = "</s>";
  const auto result = ChatTemplate::builtin(form).render_exactly(input);
  return result ? result->text() : result.error().message;
}

TEST(Builtin, forms_render_every_role) {
  EXPECT_EQ(rendered(BuiltinForm::chatml),
            "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\n a <|im_end|>\n<|im_start|>assistant\nb<|im_end|>\n"
            "<|im_start|>user\nc<|im_end|>\n<|im_start|>assistant\n");
  EXPECT_EQ(rendered(BuiltinForm::gemma),
            "<s><start_of_turn>user\nS<end_of_turn>\n<start_of_turn>user\na<end_of_turn>\n<start_of_turn>model\n"
            "b<end_of_turn>\n<start_of_turn>user\nc<end_of_turn>\n<start_of_turn>model\n");
  EXPECT_EQ(rendered(BuiltinForm::llama3),
            "<s><|start_header_id|>system<|end_header_id|>\n\nS<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n"
            "a<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\nb<|eot_id|><|start_header_id|>ipython"
            "<|end_header_id|>\n\nc<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n");
  EXPECT_EQ(rendered(BuiltinForm::llama2), "<s>[INST] <<SYS>>\nS\n<</SYS>>\n\na [/INST] b </s><s>[INST] c [/INST]");
}

TEST(Builtin, the_vocabulary_decides) {
  const auto form_for = [](std::string_view token) {
    return builtin_for([token](std::string_view text) { return text == token; });
  };
  EXPECT_EQ(form_for("<|im_start|>"), BuiltinForm::chatml);
  EXPECT_EQ(form_for("<start_of_turn>"), BuiltinForm::gemma);
  EXPECT_EQ(form_for("<|start_header_id|>"), BuiltinForm::llama3);
  EXPECT_EQ(form_for("[INST]"), BuiltinForm::llama2);
  EXPECT_EQ(form_for("nothing known"), BuiltinForm::chatml);
}

}  // namespace
}  // namespace stint::chat_template
