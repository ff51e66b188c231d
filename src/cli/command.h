// Command: what one file of this folder adds to the command line. Options are bound while the line is parsed; the
// chosen command runs afterwards.
#pragma once

#include <functional>
#include <string_view>

#include "platform/base/error.h"

namespace CLI {
class App;
}

namespace stint::cli {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;

// Set by the subcommand that was chosen.
using Chosen = std::function<int()>;

// "stint: MESSAGE" on stderr; returns kExitFailed.
int report(const base::Error& error);

void add_serve(CLI::App& app, Chosen& chosen);
void add_chat(CLI::App& app, Chosen& chosen);
void add_pull(CLI::App& app, Chosen& chosen);
void add_tokenize(CLI::App& app, Chosen& chosen);
void add_check(CLI::App& app, Chosen& chosen);

}  // namespace stint::cli
