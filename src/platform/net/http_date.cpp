#include "platform/net/http_date.h"

#include <array>
#include <chrono>

namespace stint::net {

std::string_view HttpDate::at(std::int64_t unix_seconds) {
  if (unix_seconds == unix_seconds_) return text_;
  unix_seconds_ = unix_seconds;
  static constexpr std::array<std::string_view, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::chrono::sys_seconds time{std::chrono::seconds(unix_seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  text_ = fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kDays[std::chrono::weekday(day).c_encoding()],
                      static_cast<unsigned>(date.day()), kMonths[static_cast<unsigned>(date.month()) - 1],
                      static_cast<int>(date.year()), clock.hours().count(), clock.minutes().count(),
                      clock.seconds().count());
  return text_;
}

}  // namespace stint::net
