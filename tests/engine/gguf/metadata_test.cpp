#include "engine/gguf/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/gguf/file.h"
#include "tests/fakes/gguf_writer.h"

namespace stint::gguf {
namespace {

using fakes::append_encoded;
using fakes::GgufWriter;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

File opened(const GgufWriter& writer) {
  const std::string bytes = writer.finish();
  auto file = File::from_bytes(std::as_bytes(std::span(bytes)), "test.gguf");
  EXPECT_TRUE(file) << file.error().message;
  return std::move(*file);
}

template <typename T>
void set_scalar(GgufWriter& writer, std::string_view key, ValueType type, T value) {
  std::string encoded;
  append_encoded(encoded, value);
  writer.set_raw(key, type, encoded);
}

TEST(Metadata, accepts_integers_of_every_width) {
  GgufWriter writer;
  set_scalar(writer, "u8", ValueType::u8, std::uint8_t{200});
  set_scalar(writer, "i16", ValueType::i16, std::int16_t{7});
  set_scalar(writer, "u64", ValueType::u64, std::uint64_t{1} << 40);
  set_scalar(writer, "negative", ValueType::i32, std::int32_t{-1});
  set_scalar(writer, "huge", ValueType::u64, std::numeric_limits<std::uint64_t>::max());
  const File file = opened(writer);
  EXPECT_EQ(*file.metadata().unsigned_integer("u8"), 200U);
  EXPECT_EQ(*file.metadata().u32("i16"), 7U);
  EXPECT_EQ(*file.metadata().unsigned_integer("u64"), std::uint64_t{1} << 40);
  EXPECT_THAT(file.metadata().u32("u64").error().message, HasSubstr("more than 32 bits"));
  EXPECT_FALSE(file.metadata().unsigned_integer("negative"));
  EXPECT_FALSE(file.metadata().unsigned_integer("huge"));
}

TEST(Metadata, numbers_are_finite_floats_or_integers) {
  GgufWriter writer;
  writer.set_f32("float", 0.5F);
  writer.set_u32("integer", 10000);
  writer.set_f32("nan", std::nanf(""));
  set_scalar(writer, "double", ValueType::f64, 1e300);
  const File file = opened(writer);
  EXPECT_EQ(*file.metadata().number("float"), 0.5);
  EXPECT_EQ(*file.metadata().number("integer"), 10000.0);
  EXPECT_EQ(*file.metadata().number("double"), 1e300);
  EXPECT_THAT(file.metadata().number("nan").error().message, HasSubstr("not a finite number"));
}

TEST(Metadata, missing_keys_name_file_and_key_or_give_the_fallback) {
  const File file = opened(GgufWriter());
  const Metadata& metadata = file.metadata();
  EXPECT_EQ(metadata.u32("llama.block_count").error().message,
            "test.gguf: the metadata key llama.block_count is missing.");
  EXPECT_EQ(*metadata.u32("a", 3), 3U);
  EXPECT_EQ(*metadata.number("a", 0.25), 0.25);
  EXPECT_EQ(*metadata.string("a", "text"), "text");
  EXPECT_TRUE(*metadata.boolean("a", true));
}

TEST(Metadata, wrong_types_are_errors_even_with_a_fallback) {
  GgufWriter writer;
  writer.set_string("text", "yes");
  writer.set_u32("number", 1);
  writer.set_integers("list", std::vector<std::int32_t>{1, -2});
  const File file = opened(writer);
  const Metadata& metadata = file.metadata();
  EXPECT_THAT(metadata.u32("text", 3).error().message, HasSubstr("text must be an integer"));
  EXPECT_THAT(metadata.string("number", "x").error().message, HasSubstr("number must be a string, but it is u32"));
  EXPECT_THAT(metadata.boolean("number", true).error().message, HasSubstr("must be a boolean"));
  EXPECT_THAT(metadata.u32("list").error().message, HasSubstr("an array of 2 i32"));
  EXPECT_THAT(metadata.strings("list").error().message, HasSubstr("array of strings"));
  EXPECT_THAT(metadata.floats("list").error().message, HasSubstr("array of floats"));
  EXPECT_THAT(metadata.booleans("list").error().message, HasSubstr("array of booleans"));
  EXPECT_THAT(metadata.integers("text").error().message, HasSubstr("array of integers"));
}

TEST(Metadata, decodes_arrays) {
  GgufWriter writer;
  writer.set_strings("strings", std::vector<std::string>{"a", "", "long \xf0\x9f\x98\x80"});
  writer.set_floats("floats", std::vector<float>{1.5F, -2.0F});
  writer.set_integers("integers", std::vector<std::int32_t>{1, -2});
  std::string booleans;
  append_encoded(booleans, static_cast<std::uint32_t>(ValueType::boolean));
  append_encoded(booleans, std::uint64_t{2});
  booleans += std::string("\1\0", 2);
  writer.set_raw("booleans", ValueType::array, booleans);
  const File file = opened(writer);
  EXPECT_THAT(*file.metadata().strings("strings"), ElementsAre("a", "", "long \xf0\x9f\x98\x80"));
  EXPECT_THAT(*file.metadata().floats("floats"), ElementsAre(1.5F, -2.0F));
  EXPECT_THAT(*file.metadata().integers("integers"), ElementsAre(1, -2));
  EXPECT_THAT(*file.metadata().booleans("booleans"), ElementsAre(true, false));
}

TEST(Metadata, lists_all_values_sorted_by_key) {
  GgufWriter writer;
  writer.set_u32("b", 1);
  writer.set_u32("a", 1);
  const File file = opened(writer);
  ASSERT_EQ(file.metadata().values().size(), 2U);
  EXPECT_EQ(file.metadata().values()[0].key, "a");
  EXPECT_TRUE(file.metadata().contains("b"));
  EXPECT_FALSE(file.metadata().contains("c"));
}

}  // namespace
}  // namespace stint::gguf
