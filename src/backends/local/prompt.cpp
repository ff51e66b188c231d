#include "backends/local/prompt.h"

#include "backends/local/conversation.h"

namespace stint::local {

namespace {

using tokenizer::Trust;

std::string spelled(const tokenizer::Tokenizer& tokenizer, std::optional<tokenizer::TokenId> token) {
  return token ? std::string(tokenizer.token_text(*token)) : std::string();
}

void add_begin_of_text(const tokenizer::Tokenizer& tokenizer, PromptTokens& tokens) {
  if (const auto bos = tokenizer.begin_of_text(tokens)) tokens.insert(tokens.begin(), *bos);
}

// What the engine would find too, told by the field that holds the inputs.
Result<void> check_inputs(const tokenizer::Tokenizer& tokenizer, const chat::Request& request,
                          const std::vector<PromptTokens>& prompts) {
  const std::string field = request.kind == chat::CallKind::embed ? "input" : "prompt";
  for (const PromptTokens& prompt : prompts) {
    if (prompt.empty()) {
      return fail(ErrorKind::invalid_request, field + ": an input is empty; send at least one character", field);
    }
    const auto unknown =
        std::ranges::find_if(prompt, [&](tokenizer::TokenId token) { return token >= tokenizer.vocabulary_count(); });
    if (unknown == prompt.end()) continue;
    return fail(ErrorKind::invalid_request,
                fmt::format("{}: token id {} is outside the vocabulary of {} tokens; send ids of this model", field,
                            *unknown, tokenizer.vocabulary_count()),
                field);
  }
  return {};
}

}  // namespace

std::size_t text_size(const chat::Request& request) {
  std::size_t size = 0;
  for (const chat::Message& message : request.messages) {
    for (const chat::Part& part : message.parts) size += part.text.size();
  }
  for (const std::string_view prompt : request.prompts) size += prompt.size();
  return size;
}

PromptTokens encode_segments(const tokenizer::Tokenizer& tokenizer,
                             const std::vector<chat_template::Segment>& segments) {
  PromptTokens tokens;
  tokenizer::Encoder encoder(tokenizer, Trust::trusted);
  for (const chat_template::Segment& segment : segments) {
    encoder.set_trust(segment.trusted ? Trust::trusted : Trust::user, tokens);
    encoder.append(segment.text, tokens);
  }
  encoder.finish(tokens);
  return tokens;
}

Result<PromptTokens> encode_conversation(const tokenizer::Tokenizer& tokenizer,
                                         const chat_template::ChatTemplate& chat_template,
                                         chat_template::RenderInput input) {
  input.bos_token = spelled(tokenizer, tokenizer.bos());
  input.eos_token = spelled(tokenizer, tokenizer.eos());
  const Result<chat_template::Rendered> rendered = chat_template.render(input);
  if (!rendered) return std::unexpected(rendered.error());
  PromptTokens tokens = encode_segments(tokenizer, rendered->segments);
  add_begin_of_text(tokenizer, tokens);
  return tokens;
}

Result<std::vector<PromptTokens>> encode_prompts(const tokenizer::Tokenizer& tokenizer,
                                                 const chat_template::ChatTemplate& chat_template,
                                                 const chat::Request& request) {
  std::vector<PromptTokens> prompts;
  if (request.kind == chat::CallKind::chat || request.kind == chat::CallKind::count_tokens) {
    Result<PromptTokens> prompt = encode_conversation(tokenizer, chat_template, conversation(request));
    if (!prompt) return std::unexpected(std::move(prompt.error()));
    prompts.push_back(std::move(*prompt));
  }
  for (const std::string_view text : request.prompts) {
    prompts.push_back(tokenizer.encode(text, Trust::user));
    add_begin_of_text(tokenizer, prompts.back());
  }
  prompts.insert(prompts.end(), request.prompt_tokens.begin(), request.prompt_tokens.end());
  if (const Result<void> sound = check_inputs(tokenizer, request, prompts); !sound) {
    return std::unexpected(sound.error());
  }
  return prompts;
}

}  // namespace stint::local
