#include <CLI/CLI.hpp>
#include <memory>
#include <mutex>
#include <optional>

#include "app/server.h"
#include "app/signals.h"
#include "cli/command.h"

namespace stint::cli {

namespace {

struct Options {
  std::optional<std::string> settings_file;
  std::optional<std::string> model;
  std::optional<std::string> address;
};

Result<void> apply(const Options& options, app::Settings& settings) {
  if (options.model) settings.engine.model_path = *options.model;
  if (!options.address) return {};
  Result<serve::ListenAddress> address = serve::parse_listen_address(*options.address);
  if (!address) return fail(ErrorKind::invalid_request, "--addr must be an address such as 127.0.0.1:4000");
  if (!address->is_loopback() && settings.access_keys.empty()) {
    return fail(ErrorKind::invalid_request,
                "--addr is reachable from other machines, which needs access keys: add a list "
                "under keys in the configuration file");
  }
  settings.listen.api = std::move(*address);
  return {};
}

// The server that signals stop; a signal that comes while it goes away finds either all of it or nothing.
class RunningServer {
 public:
  void set(app::Server* server) {
    const std::lock_guard lock(mutex_);
    server_ = server;
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    if (server_ != nullptr) server_->stop();
  }

 private:
  std::mutex mutex_;
  app::Server* server_ = nullptr;
};

int serve(const Options& options) {
  const config::SystemEnvironment environment;
  Result<app::Settings> settings = app::load_settings(options.settings_file, environment);
  if (!settings) return report(settings.error());
  if (const Result<void> applied = apply(options, *settings); !applied) return report(applied.error());
  const Result<app::ModelFile> model = app::find_model_file(settings->engine.model_path, environment);
  if (!model) return report(model.error());

  // The watcher comes first, so that every later thread has its signals blocked.
  RunningServer running;
  const app::SignalWatcher watcher([&running](int) { running.stop(); });
  const Result<std::unique_ptr<app::Server>> server = app::Server::start(*settings, *model);
  if (!server) return report(server.error());
  running.set(server->get());
  const Result<void> served = (*server)->run();
  running.set(nullptr);
  return served ? kExitDone : report(served.error());
}

}  // namespace

void add_serve(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("serve", "Start the server: both APIs on one port, metrics on the next");
  command->add_option("-c,--config", options->settings_file,
                      "Configuration file; else $STINT_CONFIG, stint.yaml here, /etc/stint/stint.yaml, or none");
  command->add_option("-m,--model", options->model,
                      "Model to serve: a name from `stint pull` or the path of a GGUF file");
  command->add_option("-a,--addr", options->address, "Address to listen on, e.g. 127.0.0.1:4000");
  command->footer("Stop it with Ctrl-C: answers under way are finished first. A second Ctrl-C ends at once.");
  command->callback([&chosen, options] { chosen = [options] { return serve(*options); }; });
}

}  // namespace stint::cli
