#include "engine/template/builtin.h"

#include "platform/base/assert.h"

namespace stint::chat_template {
namespace {

// Each of them takes turns in any order, and tool results as the user's words, so that it never raises.
constexpr std::string_view kChatMl = R"({%- for message in messages %}
{{- '<|im_start|>' + ('user' if message.role == 'tool' else message.role) + '\n' + message.content + '<|im_end|>\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %})";

constexpr std::string_view kGemma = R"({{- bos_token }}
{%- for message in messages %}
{{- '<start_of_turn>' + ('model' if message.role == 'assistant' else 'user') + '\n' + message.content | trim }}
{{- '<end_of_turn>\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<start_of_turn>model\n' }}{% endif %})";

constexpr std::string_view kLlama3 = R"({{- bos_token }}
{%- for message in messages %}
{{- '<|start_header_id|>' + ('ipython' if message.role == 'tool' else message.role) + '<|end_header_id|>\n\n' }}
{{- message.content | trim + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %})";

constexpr std::string_view kLlama2 = R"({%- set ns = namespace(system='') %}
{%- for message in messages %}
{%- if message.role in ['system', 'developer'] %}
{%- set ns.system = ns.system + '<<SYS>>\n' + message.content + '\n<</SYS>>\n\n' %}
{%- elif message.role == 'assistant' %}{{ ' ' + message.content | trim + ' ' + eos_token }}
{%- else %}{{ bos_token + '[INST] ' + ns.system + message.content | trim + ' [/INST]' }}{% set ns.system = '' %}
{%- endif %}
{%- endfor %})";

}  // namespace

std::string_view builtin_source(BuiltinForm form) {
  switch (form) {
    case BuiltinForm::chatml:
      return kChatMl;
    case BuiltinForm::gemma:
      return kGemma;
    case BuiltinForm::llama3:
      return kLlama3;
    case BuiltinForm::llama2:
      return kLlama2;
  }
  STINT_ASSERT(false);
}

std::string_view builtin_name(BuiltinForm form) {
  switch (form) {
    case BuiltinForm::chatml:
      return "ChatML";
    case BuiltinForm::gemma:
      return "Gemma";
    case BuiltinForm::llama3:
      return "Llama 3";
    case BuiltinForm::llama2:
      return "Llama 2";
  }
  STINT_ASSERT(false);
}

BuiltinForm builtin_for(const std::function<bool(std::string_view)>& has_token) {
  if (has_token("<|im_start|>")) return BuiltinForm::chatml;
  if (has_token("<start_of_turn>")) return BuiltinForm::gemma;
  if (has_token("<|start_header_id|>")) return BuiltinForm::llama3;
  if (has_token("[INST]") || (has_token("<s>") && has_token("</s>"))) return BuiltinForm::llama2;
  return BuiltinForm::chatml;
}

}  // namespace stint::chat_template
