#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>

#include "app/model_catalogue.h"
#include "app/model_file.h"
#include "cli/command.h"
#include "engine/gguf/file.h"
#include "engine/vocabulary_from_gguf.h"

namespace stint::cli {

namespace {

struct Options {
  std::string model{app::kDefaultModelName};
  std::optional<std::string> text;
  bool count = false;
  bool pieces = false;
  bool special = false;
};

Result<std::unique_ptr<const tokenizer::Tokenizer>> load_tokenizer(const std::string& model) {
  const Result<app::ModelFile> found = app::find_model_file(model, config::SystemEnvironment());
  if (!found) return std::unexpected(found.error());
  const Result<gguf::File> file = gguf::File::open(found->path);
  if (!file) return std::unexpected(file.error());
  Result<tokenizer::Vocabulary> vocabulary = engine::vocabulary_from_gguf(file->metadata());
  if (!vocabulary) return std::unexpected(std::move(vocabulary.error()));
  return tokenizer::Tokenizer::build(std::move(*vocabulary));
}

std::string read_standard_input() {
  return {std::istreambuf_iterator<char>(std::cin), {}};
}

void print_tokens(const tokenizer::Tokenizer& tokenizer, const std::vector<tokenizer::TokenId>& tokens,
                  bool with_pieces) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (with_pieces) {
      std::printf("%8u  %s\n", tokens[i], std::string(tokenizer.token_text(tokens[i])).c_str());
    } else {
      std::printf("%s%u", i == 0 ? "" : " ", tokens[i]);
    }
  }
  if (!with_pieces) std::printf("\n");
}

int tokenize(const Options& options) {
  const auto loaded = load_tokenizer(options.model);
  if (!loaded) return report(loaded.error());
  const std::string text = options.text ? *options.text : read_standard_input();
  const auto trust = options.special ? tokenizer::Trust::trusted : tokenizer::Trust::user;
  const std::vector<tokenizer::TokenId> tokens = (*loaded)->encode(text, trust);
  if (options.count) {
    std::printf("%zu\n", tokens.size());
  } else {
    print_tokens(**loaded, tokens, options.pieces);
  }
  return kExitDone;
}

}  // namespace

void add_tokenize(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("tokenize", "Show the tokens of a text as a model sees them");
  command->add_option("text", options->text, "The text; standard input if it is left out");
  command->add_option("-m,--model", options->model, "A name from `stint pull` or the path of a GGUF file");
  command->add_flag("--count", options->count, "Print only how many there are");
  command->add_flag("--pieces", options->pieces, "One token a line, with its piece of text");
  command->add_flag("--special", options->special, "Read control tokens such as <|im_start|> in the text as tokens");
  command->callback([&chosen, options] { chosen = [options] { return tokenize(*options); }; });
}

}  // namespace stint::cli
