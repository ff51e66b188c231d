#include "engine/engine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <future>
#include <thread>
#include <utility>

#include "engine/driver.h"
#include "engine/engine_plan.h"
#include "engine/gguf/file.h"
#include "engine/kernels/worker_pool.h"
#include "engine/memory_budget.h"
#include "engine/template/chat_template.h"
#include "engine/vocabulary_from_gguf.h"

namespace stint::engine {

namespace {

// Engine threads yield to io: an event that is ready goes out before the next token is computed.
constexpr int kNiceIncrement = 5;

chat_template::ChatTemplate choose_template(const gguf::File& file, const tokenizer::Tokenizer& tokenizer) {
  const auto text_of = [&](std::optional<tokenizer::TokenId> token) {
    return token ? tokenizer.token_text(*token) : std::string_view();
  };
  // A template of another type than string is a template that cannot be used: choose() falls back and warns.
  const std::string_view source = file.metadata().string("tokenizer.chat_template", "").value_or("{%");
  return chat_template::ChatTemplate::choose(
      source, text_of(tokenizer.bos()), text_of(tokenizer.eos()),
      [&](std::string_view text) { return tokenizer.find_token(text).has_value(); });
}

std::string name_of(const gguf::File& file) {
  const std::string_view name = file.metadata().string("general.name", "").value_or("");
  if (!name.empty()) return std::string(name);
  const std::string& path = file.name();
  const std::size_t begin = path.find_last_of('/') + 1;
  return path.substr(begin, path.find_last_of('.') - begin);
}

ModelInfo describe(const gguf::File& file, const model::Hyperparameters& hyperparameters, const EnginePlan& plan) {
  ModelInfo info;
  info.name = name_of(file);
  info.architecture = model::to_string(hyperparameters.architecture);
  info.parameter_count = plan.parameter_count;
  info.file_size = file.size();
  info.context_tokens = plan.limits.context_tokens;
  info.embedding_size = hyperparameters.embedding_size;
  info.layer_count = hyperparameters.layer_count;
  info.kernel_tier = kernels::to_string(plan.tier);
  return info;
}

}  // namespace

// Members are destroyed in reverse order: the driver and model go before what they borrow.
struct Engine::Impl {
  Impl(gguf::File opened, const EnginePlan& planned, std::unique_ptr<const tokenizer::Tokenizer> built,
       const model::Hyperparameters& hyperparameters)
      : file(std::move(opened)),
        plan(planned),
        tokenizer(std::move(built)),
        chat_template(choose_template(file, *tokenizer)),
        info(describe(file, hyperparameters, plan)) {}

  ~Impl() {
    if (driver) driver->stop();
    if (thread.joinable()) thread.join();
  }

  // On the driver's thread, so that the kernel workers it starts are as nice as it is.
  Result<void> prepare(const base::Clock& clock) {
    // Refused only where niceness is restricted; the engine then competes with io as an equal.
    [[maybe_unused]] const int niceness = ::nice(kNiceIncrement);
    workers = std::make_unique<kernels::WorkerPool>(plan.thread_count);
    Result<std::unique_ptr<model::Model>> loaded = model::Model::load(file, plan.tier, *workers);
    if (!loaded) return std::unexpected(loaded.error());
    if (const Result<void> unchanged = file.check_unchanged(); !unchanged) return unchanged;
    model = std::move(*loaded);
    driver = std::make_unique<Driver>(*model, *tokenizer, plan.limits, plan.page_shape, plan.page_count, clock);
    return {};
  }

  Result<void> start(const base::Clock& clock) {
    std::promise<Result<void>> prepared;
    std::future<Result<void>> result = prepared.get_future();
    thread = std::thread([this, &clock, promise = std::move(prepared)]() mutable {
      const Result<void> ready = prepare(clock);
      const bool run = ready.has_value();
      promise.set_value(ready);
      if (run) driver->run();
    });
    return result.get();
  }

  gguf::File file;
  const EnginePlan plan;
  std::unique_ptr<const tokenizer::Tokenizer> tokenizer;
  chat_template::ChatTemplate chat_template;
  const ModelInfo info;
  std::unique_ptr<kernels::WorkerPool> workers;
  std::unique_ptr<model::Model> model;
  std::unique_ptr<Driver> driver;
  std::thread thread;
};

Result<std::unique_ptr<Engine>> Engine::load(const EngineSettings& settings, const base::Clock& clock) {
  Result<gguf::File> file = gguf::File::open(settings.model_path);
  if (!file) return std::unexpected(file.error());
  const Result<model::Hyperparameters> hyperparameters = model::Hyperparameters::read(file->metadata());
  if (!hyperparameters) return std::unexpected(hyperparameters.error());
  const Result<EnginePlan> plan = plan_engine(settings, *hyperparameters, *file);
  if (!plan) return std::unexpected(plan.error());
  if (const auto fits = check_memory(plan->memory, available_memory("/")); !fits) return std::unexpected(fits.error());
  file->prefetch();

  Result<tokenizer::Vocabulary> vocabulary = vocabulary_from_gguf(file->metadata());
  if (!vocabulary) return std::unexpected(vocabulary.error());
  Result<std::unique_ptr<const tokenizer::Tokenizer>> tokenizer = tokenizer::Tokenizer::build(std::move(*vocabulary));
  if (!tokenizer) return std::unexpected(tokenizer.error());
  if ((*tokenizer)->vocabulary_count() < hyperparameters->vocabulary_count) {
    return fail(ErrorKind::corrupt,
                fmt::format("{}: the model has {} tokens but its tokenizer only {}; the file is damaged.", file->name(),
                            hyperparameters->vocabulary_count, (*tokenizer)->vocabulary_count()));
  }

  auto impl = std::make_unique<Impl>(std::move(*file), *plan, std::move(*tokenizer), *hyperparameters);
  if (const Result<void> started = impl->start(clock); !started) return std::unexpected(started.error());
  return std::unique_ptr<Engine>(new Engine(std::move(impl)));
}

Engine::Engine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Engine::~Engine() = default;

Result<Ticket> Engine::submit(Submission submission) {
  return impl_->driver->submit(std::move(submission));
}

const ModelInfo& Engine::model_info() const {
  return impl_->info;
}

const tokenizer::Tokenizer& Engine::tokenizer() const {
  return *impl_->tokenizer;
}

const chat_template::ChatTemplate& Engine::chat_template() const {
  return impl_->chat_template;
}

EngineStats Engine::stats() const {
  return impl_->driver->stats();
}

}  // namespace stint::engine
