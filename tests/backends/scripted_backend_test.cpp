#include "tests/fakes/scripted_backend.h"

#include "tests/backends/backend_contract.h"
#include "tests/fakes/fake_loop.h"

namespace stint::backends {
namespace {

// The fake that other tests trust keeps the contract, too.
class ScriptedSubject {
 public:
  ScriptedSubject() {
    backend_.token_count = 5;
    backend_.script.push({.kind = chat::Event::Kind::start, .usage = {.input_tokens = 5}});
    backend_.script.push_text("Hel");
    backend_.script.push_text("lo");
    backend_.script.push(
        {.kind = chat::Event::Kind::finish, .usage = {.input_tokens = 2, .cache_read_tokens = 3, .output_tokens = 2}});
  }

  Backend& backend() { return backend_; }
  const chat::Request& request() const { return request_; }
  template <typename T>
  T run(net::Task<T> task) {
    return fake_.run(std::move(task));
  }

 private:
  chat::Request request_;
  fakes::ScriptedBackend backend_{"scripted"};
  fakes::FakeLoop fake_;
};

INSTANTIATE_TYPED_TEST_SUITE_P(Scripted, BackendContract, ScriptedSubject);

}  // namespace
}  // namespace stint::backends
