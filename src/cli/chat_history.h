// ChatHistory: the turns of a terminal conversation and the prompt made of them. When the context is full the oldest
// turns leave first; the system text stays. Not thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/messages.h"
#include "engine/template/chat_template.h"
#include "platform/base/result.h"
#include "tokenizer/tokenizer.h"

namespace stint::cli {

class ChatHistory {
 public:
  ChatHistory(std::string system, std::uint32_t context_tokens)
      : system_(std::move(system)), context_tokens_(context_tokens) {}

  void add_user(std::string text) { turns_.push_back({.role = "user", .content = std::move(text)}); }
  void add_assistant(std::string text) { turns_.push_back({.role = "assistant", .content = std::move(text)}); }
  void clear() { turns_.clear(); }
  std::size_t turn_count() const { return turns_.size(); }

  // The prompt of the turns that fit beside `answer_tokens`; the turns that do not are forgotten, a question with its
  // answer at a time. Errors: invalid_request if the last question alone is too long, or the template refuses.
  Result<std::vector<engine::TokenId>> prompt(const tokenizer::Tokenizer& tokenizer,
                                              const chat_template::ChatTemplate& chat_template,
                                              std::uint32_t answer_tokens);

 private:
  Result<std::vector<engine::TokenId>> render(const tokenizer::Tokenizer& tokenizer,
                                              const chat_template::ChatTemplate& chat_template) const;

  std::string system_;
  std::uint32_t context_tokens_;
  std::vector<chat_template::Message> turns_;
};

}  // namespace stint::cli
