// Answers from upstreams: the first byte says whether they answer a HEAD request. As for requests: no crash, and the
// same result however the bytes are cut.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "platform/base/assert.h"
#include "platform/net/http1_codec.h"

namespace {

using stint::net::Http1Decoder;
using Event = Http1Decoder::Event;

std::string decode(std::string_view bytes, bool head_request, std::size_t step) {
  Http1Decoder decoder(Http1Decoder::Role::response);
  decoder.start_next(head_request);
  std::string transcript;
  const auto note = [&](Event event) {
    if (event == Event::head) transcript += "\nH" + std::to_string(decoder.response().status) + "\n";
    if (event == Event::data) transcript += decoder.data();
    if (event == Event::failed) transcript += "F";
    if (event == Event::end) decoder.start_next();
    return event != Event::need_input && event != Event::failed;
  };
  while (!bytes.empty()) {
    std::string_view input = bytes.substr(0, step);
    bytes.remove_prefix(input.size());
    Event event = Event::need_input;
    while (note(event = decoder.next(input))) {
    }
    if (event == Event::failed) return transcript;
  }
  note(decoder.finish_input());
  return transcript;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool head_request = data[0] % 2 == 1;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::string whole = decode(bytes, head_request, size);
  STINT_ASSERT(decode(bytes, head_request, 1) == whole);
  STINT_ASSERT(decode(bytes, head_request, 5) == whole);
  return 0;
}
