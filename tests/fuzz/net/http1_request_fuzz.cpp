// Requests from outside: the decoder must never crash, must decode the same however the bytes are cut, and what it
// accepts must keep the rules that make smuggling impossible.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "platform/base/assert.h"
#include "platform/net/http1_codec.h"

namespace {

using stint::net::BodyKind;
using stint::net::Http1Decoder;
using Event = Http1Decoder::Event;

void check_head(const Http1Decoder& decoder) {
  const auto& request = decoder.request();
  const auto& headers = request.headers;
  STINT_ASSERT(!request.method.empty() && !request.target.empty());
  STINT_ASSERT(request.target[0] == '/' || request.target == "*");
  STINT_ASSERT(!(headers.contains("content-length") && headers.contains("transfer-encoding")));
  STINT_ASSERT((decoder.framing().body == BodyKind::chunked) == headers.contains("transfer-encoding"));
  STINT_ASSERT(decoder.framing().body != BodyKind::until_close);
  for (std::size_t i = 0; i < headers.size(); ++i) {
    STINT_ASSERT(headers.value(i).find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos);
  }
}

// All that was decoded, as text; pieces of a body are joined, so that the cut does not show.
std::string decode(std::string_view bytes, std::size_t step) {
  Http1Decoder decoder(Http1Decoder::Role::request);
  std::string transcript;
  while (!bytes.empty()) {
    std::string_view input = bytes.substr(0, step);
    bytes.remove_prefix(input.size());
    for (Event event = decoder.next(input); event != Event::need_input; event = decoder.next(input)) {
      if (event == Event::failed) return transcript + "F" + std::to_string(decoder.failure().status);
      if (event == Event::head) {
        check_head(decoder);
        transcript += "\nH" + decoder.request().method + " " + decoder.request().target + "\n";
      }
      if (event == Event::data) transcript += decoder.data();
      if (event == Event::end) decoder.start_next();
    }
    STINT_ASSERT(input.empty());
  }
  decoder.finish_input();
  return transcript;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = decode(bytes, size + 1);
  STINT_ASSERT(decode(bytes, 1) == whole);
  STINT_ASSERT(decode(bytes, 7) == whole);
  return 0;
}
