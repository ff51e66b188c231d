#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/command.h"
#include "cli/version.h"

namespace stint::cli {

namespace {

constexpr const char* kDescription =
    "Stint answers the Anthropic and OpenAI APIs from a small model on this machine.\n\n"
    "  stint serve                   start the server on 127.0.0.1:4000\n"
    "  stint chat                    talk to the model in this terminal\n"
    "  stint pull                    list the models there are and fetch one";

constexpr const char* kFooter =
    "Point an SDK at it:\n"
    "  Anthropic   ANTHROPIC_BASE_URL=http://127.0.0.1:4000\n"
    "  OpenAI      OPENAI_BASE_URL=http://127.0.0.1:4000/v1\n"
    "`stint COMMAND --help` explains a command.";

}  // namespace

int report(const base::Error& error) {
  std::fprintf(stderr, "stint: %s\n", error.message.c_str());
  return kExitFailed;
}

int run(int argument_count, const char* const* arguments) {
  CLI::App app(kDescription, "stint");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("stint ") + kVersion);
  Chosen chosen;
  add_serve(app, chosen);
  add_chat(app, chosen);
  add_pull(app, chosen);
  add_tokenize(app, chosen);
  add_check(app, chosen);
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    // CLI11 reports by exception; --help and --version are among them, with exit code 0.
    return app.exit(error) == 0 ? kExitDone : kExitUsage;
  }
  if (chosen) return chosen();
  // CLI11's own check would hide the name of an unknown command behind this.
  std::fputs("stint: name a command to run; `stint --help` lists them\n", stderr);
  return kExitUsage;
}

}  // namespace stint::cli
