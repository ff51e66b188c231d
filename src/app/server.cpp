#include "app/server.h"

#include <thread>

#include "app/engine_metrics.h"
#include "app/protocol_failure.h"
#include "backends/local/local_backend.h"
#include "engine/template/chat_template.h"
#include "platform/crypto/random_source.h"
#include "platform/net/server.h"
#include "platform/net/socket_poller.h"
#include "serve/admin/admin_handler.h"
#include "serve/endpoint.h"

namespace stint::app {

namespace {

constexpr std::size_t kWorkerQueueCountMax = 256;
constexpr std::chrono::seconds kDrainTimeout{30};
constexpr std::size_t kSecretSize = 32;

std::string random_secret() {
  std::array<std::uint8_t, kSecretSize> bytes;
  crypto::SystemRandom().fill(bytes);
  return {bytes.begin(), bytes.end()};
}

std::uint64_t random_seed() {
  std::array<std::uint8_t, sizeof(std::uint64_t)> bytes;
  crypto::SystemRandom().fill(bytes);
  return std::bit_cast<std::uint64_t>(bytes);
}

serve::Generation make_generation(const Settings& settings, const ModelFile& model) {
  return {.access_keys = settings.access_keys,
          .switches = settings.switches,
          .browser_guard = serve::BrowserGuard(settings.listen.api.is_loopback(), settings.listen.cors_origins),
          .model_names = plan::ModelNames({model.name}, settings.strict_models)};
}

net::ServerSettings api_server_settings() {
  net::ServerSettings settings;
  settings.format_failure = format_protocol_failure;
  return settings;
}

}  // namespace

// In order of dependence: what is destroyed first stands last.
struct Server::Parts {
  Parts(const Settings& settings, const ModelFile& model)
      : model_file(model),
        engine_settings(settings.engine),
        log_sink(observe::make_stderr_sink()),
        logger({.level = settings.log.level, .format = settings.log.format}, *log_sink, clock),
        metrics(registry),
        random(random_seed()),
        principals(random_secret()),
        loop(clock, poller),
        worker("stint-worker", kWorkerQueueCountMax),
        local(engine_slot, loop, worker, random),
        executor({{std::string(local.name()), &local}}),
        generations(std::make_shared<const serve::Generation>(make_generation(settings, model))),
        with{clock, loop, random, logger, metrics, principals, executor},
        pipeline(serve::make_pipeline(with)),
        endpoint(generations, pipeline, with, models_view()),
        admin_handler(registry),
        api_server(loop, endpoint, bodies, api_server_settings()),
        admin_server(loop, admin_handler, bodies, {}) {
    engine_settings.model_path = model.path;
    export_engine_stats(registry, engine_slot);
  }

  serve::ModelsView models_view();
  // Writes the port that was picked into `address`.
  Result<void> listen(net::HttpServer& server, serve::ListenAddress& address);
  void load_model();
  net::Task<void> drain();

  const ModelFile model_file;
  engine::EngineSettings engine_settings;
  base::SystemClock clock;
  const std::int64_t started_unix_s = clock.unix_seconds();
  std::unique_ptr<observe::LogSink> log_sink;
  observe::Logger logger;
  observe::Registry registry;
  serve::RequestMetrics metrics;
  base::Random random;
  admit::PrincipalFinder principals;
  net::SocketPoller poller;
  net::Loop loop;
  net::Worker worker;
  local::EngineSlot engine_slot;
  local::LocalBackend local;
  dispatch::Executor executor;
  serve::Generations generations;
  const serve::Collaborators with;
  serve::Pipeline pipeline;
  serve::Endpoint endpoint;
  serve::AdminHandler admin_handler;
  net::BodyBudget bodies;
  net::HttpServer api_server;
  net::HttpServer admin_server;
  serve::ListenAddress api_address;
  serve::ListenAddress admin_address;
  std::thread loader;
  std::optional<Error> load_failure;
  bool draining = false;
};

serve::ModelsView Server::Parts::models_view() {
  return {.list =
              [this] {
                std::vector<api::ModelInfo> models;
                if (const auto engine = engine_slot.get()) {
                  const engine::ModelInfo& info = (*engine)->model_info();
                  models.push_back({.id = model_file.name,
                                    .display_name = info.name.empty() ? model_file.name : info.name,
                                    .created_unix_s = started_unix_s,
                                    .max_input_tokens = info.context_tokens,
                                    .max_output_tokens = info.context_tokens});
                }
                return models;
              },
          .not_ready = [this]() -> std::optional<Error> {
            const auto engine = engine_slot.get();
            return engine ? std::nullopt : std::optional(engine.error());
          }};
}

// Runs on the loader thread; hands the result to the io thread.
void Server::Parts::load_model() {
  const base::TimePoint started = clock.now();
  Result<std::unique_ptr<engine::Engine>> loaded = engine::Engine::load(engine_settings, clock);
  const double seconds = std::chrono::duration<double>(clock.now() - started).count();
  loop.post([this, seconds, loaded = std::move(loaded)]() mutable {
    if (!loaded) {
      load_failure = loaded.error();
      engine_slot.set_failure(std::move(loaded.error()));
      loop.stop();
      return;
    }
    const engine::ModelInfo& info = (*loaded)->model_info();
    if (const std::string& warning = (*loaded)->chat_template().warning(); !warning.empty()) {
      logger.warning("chat_template_replaced", {{"model", model_file.name}, {"reason", warning}});
    }
    logger.info("ready", {{"model", model_file.name},
                          {"architecture", info.architecture},
                          {"context_tokens", info.context_tokens},
                          {"kernel_tier", info.kernel_tier},
                          {"seconds", seconds}});
    engine_slot.set(std::move(*loaded));
  });
}

Result<void> Server::Parts::listen(net::HttpServer& server, serve::ListenAddress& address) {
  Result<void> bound = server.listen(poller, address.host, address.port);
  address.port = server.port();
  return bound;
}

net::Task<void> Server::Parts::drain() {
  const base::Deadline deadline = base::Deadline::after(clock, kDrainTimeout);
  co_await api_server.drain(deadline);
  co_await admin_server.drain(deadline);
  loop.stop();
}

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Server::~Server() {
  if (parts_->loader.joinable()) parts_->loader.join();
  parts_->loop.shutdown();
}

Result<std::unique_ptr<Server>> Server::start(const Settings& settings, const ModelFile& model) {
  auto parts = std::make_unique<Parts>(settings, model);
  std::unique_ptr<Server> server(new Server(std::move(parts)));
  Parts& p = *server->parts_;
  p.api_address = settings.listen.api;
  p.admin_address = settings.listen.admin;
  if (const Result<void> bound = p.listen(p.api_server, p.api_address); !bound) return std::unexpected(bound.error());
  if (const Result<void> bound = p.listen(p.admin_server, p.admin_address); !bound) {
    return std::unexpected(bound.error());
  }
  p.logger.info("listening", {{"api", p.api_address.text()}, {"admin", p.admin_address.text()}, {"model", model.name}});
  p.loader = std::thread([&p] { p.load_model(); });
  return server;
}

Result<void> Server::run() {
  parts_->loop.run();
  if (parts_->load_failure) return std::unexpected(*parts_->load_failure);
  return {};
}

void Server::stop() {
  parts_->loop.post([this] {
    if (std::exchange(parts_->draining, true)) {
      parts_->loop.stop();
      return;
    }
    parts_->logger.info("stopping", {{"seconds_at_most", std::int64_t{kDrainTimeout.count()}}});
    parts_->loop.spawn(parts_->drain());
  });
}

const serve::ListenAddress& Server::api_address() const {
  return parts_->api_address;
}

const serve::ListenAddress& Server::admin_address() const {
  return parts_->admin_address;
}

}  // namespace stint::app
