// Prompts: from the words of a call to the token ids that the model sees: template, special tokens, BOS. Pure;
// thread-safe; linear in the text. Special tokens come from the template alone: what people wrote is only ever text.
#pragma once

#include <cstddef>
#include <vector>

#include "chat/request.h"
#include "engine/template/chat_template.h"
#include "platform/base/result.h"
#include "tokenizer/tokenizer.h"

namespace stint::local {

using PromptTokens = std::vector<tokenizer::TokenId>;

// Bytes of text that encode_prompts would read.
std::size_t text_size(const chat::Request& request);

// The tokens of rendered segments, as if they were one text in which only the trusted parts can hold control tokens.
PromptTokens encode_segments(const tokenizer::Tokenizer& tokenizer,
                             const std::vector<chat_template::Segment>& segments);

// The prompt of a conversation: rendered with the vocabulary's own BOS and EOS texts (those of `input` are
// overwritten), encoded, BOS in front. Errors: those of ChatTemplate::render.
Result<PromptTokens> encode_conversation(const tokenizer::Tokenizer& tokenizer,
                                         const chat_template::ChatTemplate& chat_template,
                                         chat_template::RenderInput input);

// One prompt for a chat or count_tokens call, one an input for complete and embed, texts before token arrays; none is
// empty. Errors: invalid_request for a token id outside the vocabulary, an empty input, or a conversation that the
// template refuses.
Result<std::vector<PromptTokens>> encode_prompts(const tokenizer::Tokenizer& tokenizer,
                                                 const chat_template::ChatTemplate& chat_template,
                                                 const chat::Request& request);

}  // namespace stint::local
