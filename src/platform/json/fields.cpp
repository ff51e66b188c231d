#include "platform/json/fields.h"

#include "platform/base/assert.h"

namespace stint::json {

Result<void> read_fields(Value object, std::span<const std::string_view> keys, std::span<Value> values,
                         std::span<Span> member_spans) {
  STINT_ASSERT(keys.size() == values.size() && keys.size() == member_spans.size());
  const auto members = object.object();
  if (!members) return std::unexpected(members.error());
  for (const Member member : *members) {
    const auto known = std::ranges::find_if(keys, [&](std::string_view key) { return member.key.equals(key); });
    if (known == keys.end()) continue;
    const auto index = static_cast<std::size_t>(known - keys.begin());
    if (values[index].exists()) {
      return std::unexpected(object.member_error(*known, "this key occurs twice; send it once."));
    }
    if (member.key.raw().size() != known->size() + 2) {
      return std::unexpected(object.member_error(*known, "this key is spelled with escapes; send it plainly."));
    }
    values[index] = member.value;
    member_spans[index] = member.span();
  }
  return {};
}

}  // namespace stint::json
