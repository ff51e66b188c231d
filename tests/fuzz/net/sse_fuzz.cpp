// Event streams: no crash, the same events however the bytes are cut, and the raw blocks together are the stream
// itself.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "platform/base/assert.h"
#include "platform/net/sse.h"

namespace {

constexpr std::size_t kEventSizeMax = 4096;

struct Decoded {
  std::string events;
  std::string raw;
  bool failed = false;
};

void take_events(stint::net::SseReader& reader, Decoded& decoded) {
  for (;;) {
    const auto event = reader.next();
    decoded.failed = decoded.failed || !event;
    if (!event || !*event) return;
    STINT_ASSERT((*event)->data.size() <= (*event)->raw.size());
    decoded.raw += (*event)->raw;
    if (!(*event)->has_data) continue;
    decoded.events.append((*event)->event).append("|").append((*event)->data).append("|").append((*event)->id) += '\n';
  }
}

Decoded decode(std::string_view bytes, std::size_t step) {
  stint::net::SseReader reader(kEventSizeMax);
  Decoded decoded;
  while (!bytes.empty() && !decoded.failed) {
    reader.feed(bytes.substr(0, step));
    bytes.remove_prefix(std::min(step, bytes.size()));
    take_events(reader, decoded);
  }
  if (decoded.failed) return decoded;
  reader.finish();
  take_events(reader, decoded);
  return decoded;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Decoded whole = decode(bytes, size + 1);
  for (const std::size_t step : {std::size_t{1}, std::size_t{3}}) {
    const Decoded cut = decode(bytes, step);
    STINT_ASSERT(cut.failed == whole.failed);
    if (!whole.failed) STINT_ASSERT(cut.events == whole.events);
  }
  if (!whole.failed) {
    const std::string_view mark = "\xEF\xBB\xBF";
    STINT_ASSERT(whole.raw == (bytes.starts_with(mark) ? bytes.substr(mark.size()) : bytes));
  }
  return 0;
}
