#include "platform/net/resolver.h"

#include <gtest/gtest.h>

#include <latch>

namespace stint::net {
namespace {

struct ResolverParts {
  base::SystemClock clock;
  MemoryPoller poller;
  Loop loop{clock, poller};
};

TEST(Resolver, answers_address_literals_without_a_lookup) {
  ResolverParts parts;
  Resolver resolver([](const std::string&, std::uint16_t) -> Result<std::vector<IpEndpoint>> {
    return fail(ErrorKind::internal, "not to be asked");
  });
  const auto endpoints = parts.loop.run(resolver.resolve("127.0.0.1", 80, base::Deadline::never()));
  ASSERT_TRUE(endpoints);
  EXPECT_EQ(endpoints->front().to_string(), "127.0.0.1:80");
}

TEST(Resolver, gives_what_the_lookup_found_or_its_error) {
  ResolverParts parts;
  Resolver resolver([](const std::string& host, std::uint16_t port) -> Result<std::vector<IpEndpoint>> {
    if (host != "known") return fail(ErrorKind::unavailable, "unknown");
    return std::vector{*IpEndpoint::parse("10.0.0.1", port)};
  });
  const auto known = parts.loop.run(resolver.resolve("known", 81, base::Deadline::never()));
  ASSERT_TRUE(known);
  EXPECT_EQ(known->front().to_string(), "10.0.0.1:81");
  EXPECT_FALSE(parts.loop.run(resolver.resolve("other", 81, base::Deadline::never())));
}

TEST(Resolver, a_lookup_that_hangs_does_not_hold_the_caller) {
  ResolverParts parts;
  std::latch release(1);
  {
    Resolver resolver([&](const std::string&, std::uint16_t) -> Result<std::vector<IpEndpoint>> {
      release.wait();
      return fail(ErrorKind::unavailable, "too late");
    });
    const base::Deadline deadline = base::Deadline::after(parts.clock, std::chrono::milliseconds(1));
    const auto endpoints = parts.loop.run(resolver.resolve("slow", 80, deadline));
    ASSERT_FALSE(endpoints);
    EXPECT_EQ(endpoints.error().kind, ErrorKind::timeout);
    release.count_down();
  }
  parts.loop.run_until_idle();
}

TEST(Resolver, the_system_knows_localhost) {
  const auto endpoints = Resolver::system_lookup("localhost", 80);
  ASSERT_TRUE(endpoints);
  EXPECT_EQ(endpoints->front().port(), 80);
}

}  // namespace
}  // namespace stint::net
