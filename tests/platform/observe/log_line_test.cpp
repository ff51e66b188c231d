#include "platform/observe/log_line.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "platform/base/utf8.h"

namespace stint::observe {
namespace {

constexpr std::int64_t kTime = 1'750'000'000;  // 2025-06-15T15:06:40Z

std::string text(std::vector<LogField> fields) {
  return log_line(LogFormat::text, kTime, LogLevel::info, "event", fields);
}
std::string json(std::vector<LogField> fields) {
  return log_line(LogFormat::json, kTime, LogLevel::error, "event", fields);
}

TEST(LogLine, text_form) {
  EXPECT_EQ(text({}), "2025-06-15T15:06:40Z info event");
  EXPECT_EQ(
      text({{"addr", "127.0.0.1:4000"}, {"count", 3}, {"delta", -4}, {"share", 0.5}, {"ready", true}, {"size", 7u}}),
      "2025-06-15T15:06:40Z info event addr=127.0.0.1:4000 count=3 delta=-4 share=0.5 ready=true size=7");
}

TEST(LogLine, json_form) {
  EXPECT_EQ(json({}), R"({"time":"2025-06-15T15:06:40Z","level":"error","event":"event"})");
  EXPECT_EQ(json({{"addr", std::string("x y")}, {"count", 3}, {"share", 0.5}, {"ready", false}}),
            R"({"time":"2025-06-15T15:06:40Z","level":"error","event":"event",)"
            R"("addr":"x y","count":3,"share":0.5,"ready":false})");
}

TEST(LogLine, values_that_would_confuse_a_reader_are_quoted) {
  EXPECT_EQ(
      text({{"a", "two words"}, {"b", ""}, {"c", "x=y"}, {"d", "say \"hi\""}, {"e", "back\\slash"}}),
      "2025-06-15T15:06:40Z info event a=\"two words\" b=\"\" c=\"x=y\" d=\"say \\\"hi\\\"\" e=\"back\\\\slash\"");
}

TEST(LogLine, no_value_can_forge_a_second_line_or_colour_the_terminal) {
  const std::string hostile("a\nb\r\x1b[31m\0\x7f", 11);
  for (const std::string& line : {text({{"v", hostile}}), json({{"v", hostile}}), text({{hostile, 1}})}) {
    for (const char c : line) {
      EXPECT_GE(static_cast<unsigned char>(c), 0x20) << line;
      EXPECT_NE(c, '\x7f') << line;
    }
  }
  EXPECT_TRUE(json({{"v", hostile}}).ends_with(R"("v":"a\nb\u000d\u001b[31m\u0000\u007f"})")) << json({{"v", hostile}});
}

TEST(LogLine, is_valid_utf8_whatever_the_bytes) {
  const std::string line = json({{"v", "\xC3\xA9 \xFF\xC3"}});
  EXPECT_EQ(base::utf8_valid_size(line), line.size());
  EXPECT_TRUE(line.ends_with("\"v\":\"\xC3\xA9 \\ufffd\\ufffd\"}")) << line;
}

TEST(LogLine, numbers_without_a_json_form_are_null) {
  EXPECT_TRUE(json({{"v", std::numeric_limits<double>::infinity()}}).ends_with("\"v\":null}"));
  EXPECT_TRUE(text({{"v", std::numeric_limits<double>::infinity()}}).ends_with("v=inf"));
}

TEST(LogLine, credentials_are_masked_by_name_and_by_form) {
  EXPECT_TRUE(text({{"api_key", "whatever"}}).ends_with("api_key=[redacted]"));
  EXPECT_TRUE(text({{"detail", "sent Bearer abcdef"}}).ends_with("detail=\"sent Bearer [redacted]\""));
}

TEST(LogLine, long_values_are_cut_at_a_whole_letter) {
  std::string long_value = "x";
  for (int i = 0; i < 2000; ++i) long_value += "\xC3\xA9";
  const std::string line = json({{"v", long_value}});
  EXPECT_LT(line.size(), kLogValueSizeMax + 200);
  EXPECT_EQ(line.find("ufffd"), std::string::npos);
  EXPECT_TRUE(line.ends_with("...\"}"));
  const std::string exact(kLogValueSizeMax, 'x');
  EXPECT_TRUE(text({{"v", exact}}).ends_with("v=" + exact));
}

TEST(LogLine, a_credential_across_the_cut_is_masked) {
  const std::string value = std::string(kLogValueSizeMax - 10, 'x') + " sk-" + std::string(5000, 'S');
  EXPECT_EQ(text({{"v", value}}).find("SS"), std::string::npos);
}

TEST(LogLine, the_number_of_fields_is_bounded) {
  std::vector<LogField> fields(100, LogField{"n", 1});
  const std::string line = text(fields);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(line, '=')), kLogFieldCountMax);
}

}  // namespace
}  // namespace stint::observe
