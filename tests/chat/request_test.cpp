#include "chat/request.h"

#include <gtest/gtest.h>

#include <set>

namespace stint::chat {
namespace {

TEST(CallKind, every_kind_has_its_own_name) {
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(CallKind::relay); ++kind)
    names.insert(to_string(static_cast<CallKind>(kind)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(CallKind::relay) + 1);
}

TEST(Request, its_views_survive_a_move) {
  Request request;
  request.body = std::make_shared<const std::string>("short");
  request.model = *request.body;
  request.end_user = request.arena.keep("kept");
  const Request moved = std::move(request);
  EXPECT_EQ(moved.model.data(), moved.body->data());
  EXPECT_EQ(*moved.end_user, "kept");
}

}  // namespace
}  // namespace stint::chat
