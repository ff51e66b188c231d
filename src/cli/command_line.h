// The command line: `stint COMMAND [OPTION ...]`. One file a command. Runs on the main thread.
#pragma once

namespace stint::cli {

// The process's exit code: 0 done, 1 failed (told on stderr in one sentence), 2 wrong usage.
int run(int argument_count, const char* const* arguments);

}  // namespace stint::cli
