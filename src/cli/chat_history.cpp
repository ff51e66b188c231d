#include "cli/chat_history.h"

#include "backends/local/prompt.h"

namespace stint::cli {

namespace {

constexpr std::size_t kTurnsOfAnExchange = 2;

}  // namespace

Result<std::vector<engine::TokenId>> ChatHistory::prompt(const tokenizer::Tokenizer& tokenizer,
                                                         const chat_template::ChatTemplate& chat_template,
                                                         std::uint32_t answer_tokens) {
  while (true) {
    Result<std::vector<engine::TokenId>> tokens = render(tokenizer, chat_template);
    if (!tokens || tokens->size() + answer_tokens <= context_tokens_) return tokens;
    if (turns_.size() <= kTurnsOfAnExchange) {
      const std::size_t count = tokens->size();
      turns_.clear();
      return fail(ErrorKind::invalid_request,
                  fmt::format("the message has {} tokens, which with an answer of {} is more than the model's {}",
                              count, answer_tokens, context_tokens_));
    }
    turns_.erase(turns_.begin(), turns_.begin() + kTurnsOfAnExchange);
  }
}

Result<std::vector<engine::TokenId>> ChatHistory::render(const tokenizer::Tokenizer& tokenizer,
                                                         const chat_template::ChatTemplate& chat_template) const {
  chat_template::RenderInput input;
  if (!system_.empty()) input.messages.push_back({.role = "system", .content = system_});
  input.messages.insert(input.messages.end(), turns_.begin(), turns_.end());
  return local::encode_conversation(tokenizer, chat_template, std::move(input));
}

}  // namespace stint::cli
