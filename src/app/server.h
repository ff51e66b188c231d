// Server: the composition root of `stint serve`: builds every part, owns it, wires it, runs the io thread and drains on
// request. Construct and run on the main thread; stop() may come from anywhere.
#pragma once

#include <memory>

#include "app/model_file.h"
#include "app/settings.h"
#include "platform/base/result.h"

namespace stint::app {

class Server {
 public:
  // Binds both ports and starts loading the model in the background; requests are answered once it is there.
  // Errors: unavailable or io for a port that cannot be had, naming it.
  static Result<std::unique_ptr<Server>> start(const Settings& settings, const ModelFile& model);
  ~Server();

  // Serves until stop(), then until the last answer is written or the drain's deadline has passed.
  // Errors: what kept the model from loading; without it there is nothing to serve.
  Result<void> run();
  // Begins the drain; a second call ends it at once. Thread-safe.
  void stop();

  // Where it listens: the ports that were picked where the settings say 0.
  const serve::ListenAddress& api_address() const;
  const serve::ListenAddress& admin_address() const;

 private:
  struct Parts;
  explicit Server(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace stint::app
