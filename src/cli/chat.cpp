#include <unistd.h>
#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>

#include "app/model_catalogue.h"
#include "app/model_file.h"
#include "cli/chat_history.h"
#include "cli/command.h"
#include "engine/engine.h"
#include "engine/template/chat_template.h"

namespace stint::cli {

namespace {

struct Options {
  std::string model{app::kDefaultModelName};
  std::string system;
  float temperature = 0.7f;
  std::uint32_t max_tokens = 512;
  std::uint64_t seed = 0;
};

constexpr const char* kHelp =
    "Type a message and press Enter. /new starts over, /help shows this, Ctrl-D or /exit ends; Ctrl-C stops an "
    "answer.\n";

// Set by Ctrl-C; the loop that prints an answer looks at it. The only thing a signal handler may do.
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void print_speed(const engine::Finish& finish) {
  const double prefill_s = std::chrono::duration<double>(finish.prefill_time).count();
  const double decode_s = std::chrono::duration<double>(finish.decode_time).count();
  const std::uint32_t computed = finish.prompt_tokens - finish.cached_prompt_tokens;
  std::fprintf(stderr, "\n[%u prompt tokens at %.0f tokens/s, %u answered at %.0f tokens/s]\n", finish.prompt_tokens,
               prefill_s > 0 ? computed / prefill_s : 0.0, finish.output_tokens,
               decode_s > 0 ? finish.output_tokens / decode_s : 0.0);
}

class ChatSession {
 public:
  ChatSession(engine::Engine& engine, const Options& options)
      : engine_(engine), options_(options), history_(options.system, engine.model_info().context_tokens) {}

  // One turn: prints the answer as it comes. Errors end the session only if the engine is gone.
  Result<void> ask(const std::string& text) {
    history_.add_user(text);
    Result<std::vector<engine::TokenId>> prompt =
        history_.prompt(engine_.tokenizer(), engine_.chat_template(), options_.max_tokens);
    if (!prompt) return std::unexpected(std::move(prompt.error()));
    engine::Submission submission;
    submission.prompt = std::move(*prompt);
    submission.sampling.temperature = options_.temperature;
    submission.sampling.top_p = 0.9f;
    submission.sampling.repetition_penalty = 1.05f;
    submission.sampling.seed = options_.seed + ++turn_count_;
    submission.max_output_tokens = options_.max_tokens;
    Result<engine::Ticket> ticket = engine_.submit(std::move(submission));
    if (!ticket) return std::unexpected(std::move(ticket.error()));
    Result<std::string> answer = print_answer(*ticket);
    if (!answer) return std::unexpected(std::move(answer.error()));
    history_.add_assistant(std::move(*answer));
    return {};
  }

  void start_over() { history_.clear(); }

 private:
  Result<std::string> print_answer(engine::Ticket& ticket) {
    std::string answer;
    interrupted = false;
    while (true) {
      const engine::Output output = ticket.wait_next();
      std::fputs(output.text.c_str(), stdout);
      std::fflush(stdout);
      answer += output.text;
      if (output.finish) {
        if (output.finish->error) return std::unexpected(*output.finish->error);
        print_speed(*output.finish);
        return answer;
      }
      if (interrupted.exchange(false)) ticket.cancel();
    }
  }

  engine::Engine& engine_;
  const Options options_;
  ChatHistory history_;
  std::uint64_t turn_count_ = 0;
};

std::optional<std::string> read_line(bool interactive) {
  if (interactive) std::fputs("> ", stderr);
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return line;
}

int talk(engine::Engine& engine, const Options& options) {
  const bool interactive = ::isatty(STDIN_FILENO) != 0;
  if (interactive) std::fprintf(stderr, "%s: %s", engine.model_info().name.c_str(), kHelp);
  ChatSession session(engine, options);
  while (const std::optional<std::string> line = read_line(interactive)) {
    if (line->empty()) continue;
    if (*line == "/exit") break;
    if (*line == "/new") {
      session.start_over();
    } else if (line->starts_with('/')) {
      std::fputs(kHelp, stderr);
    } else if (const Result<void> asked = session.ask(*line); !asked) {
      report(asked.error());
      if (!interactive) return kExitFailed;
    }
  }
  return kExitDone;
}

int chat(const Options& options) {
  const config::SystemEnvironment environment;
  const Result<app::ModelFile> model = app::find_model_file(options.model, environment);
  if (!model) return report(model.error());
  engine::EngineSettings settings;
  settings.model_path = model->path;
  const base::SystemClock clock;
  const Result<std::unique_ptr<engine::Engine>> engine = engine::Engine::load(settings, clock);
  if (!engine) return report(engine.error());
  std::signal(SIGINT, [](int) { interrupted = true; });
  return talk(**engine, options);
}

}  // namespace

void add_chat(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("chat", "Talk to a model in this terminal; no server needed");
  command->add_option("-m,--model", options->model, "A name from `stint pull` or the path of a GGUF file");
  command->add_option("-s,--system", options->system, "What the model is told before the conversation");
  command->add_option("-t,--temperature", options->temperature, "0 is always the likeliest word; 0.7 by default")
      ->check(CLI::Range(0.0, 2.0));
  command->add_option("-n,--max-tokens", options->max_tokens, "Longest answer, 512 by default")
      ->check(CLI::Range(1u, 8192u));
  command->add_option("--seed", options->seed, "The same seed gives the same answers");
  command->footer(kHelp);
  command->callback([&chosen, options] { chosen = [options] { return chat(*options); }; });
}

}  // namespace stint::cli
