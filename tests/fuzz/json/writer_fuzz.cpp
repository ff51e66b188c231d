// Any bytes written as a string are valid JSON that reads back to the same bytes, when those were UTF-8.
#include <cstdint>
#include <string>
#include <string_view>

#include "platform/base/assert.h"
#include "platform/json/document.h"
#include "platform/json/writer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string out;
  stint::json::append_string(out, text);
  const auto document = stint::json::Document::parse(out);
  STINT_ASSERT(document.has_value());
  const std::string back = *document->root().string();
  STINT_ASSERT(back == text || back.contains("\xEF\xBF\xBD"));
  return 0;
}
