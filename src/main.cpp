#include "cli/command_line.h"

int main(int argument_count, char** arguments) {
  return stint::cli::run(argument_count, arguments);
}
