#include "engine/gguf/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "tests/fakes/gguf_writer.h"

namespace stint::gguf {
namespace {

using fakes::append_encoded;
using fakes::GgufWriter;
using ::testing::HasSubstr;

constexpr std::array<std::uint64_t, 2> kMatrix{32, 3};
constexpr std::array<std::uint64_t, 1> kVector{4};

Result<File> open_bytes(std::string_view bytes) {
  return File::from_bytes(std::as_bytes(std::span(bytes)), "test.gguf");
}

std::string message_of(std::string_view bytes) {
  const auto file = open_bytes(bytes);
  return file ? "" : file.error().message;
}

std::string small_file() {
  GgufWriter writer;
  writer.set_string("general.architecture", "llama");
  writer.add_tensor("blk.0.weight", kMatrix, TensorType::q8_0, std::string(3 * 34, '\1'));
  writer.add_tensor("norm.weight", kVector, TensorType::f32, std::string(16, '\2'));
  return writer.finish();
}

TEST(File, gives_tensors_with_their_bytes) {
  const auto file = open_bytes(small_file());
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->version(), 3U);
  EXPECT_EQ(file->name(), "test.gguf");
  ASSERT_EQ(file->tensors().size(), 2U);
  const Tensor* matrix = file->find_tensor("blk.0.weight");
  ASSERT_NE(matrix, nullptr);
  EXPECT_EQ(matrix->type, TensorType::q8_0);
  EXPECT_EQ(matrix->ne, (std::array<std::uint64_t, 4>{32, 3, 1, 1}));
  EXPECT_EQ(matrix->row_size, 34U);
  EXPECT_EQ(matrix->row_count(), 3U);
  EXPECT_EQ(matrix->element_count(), 96U);
  EXPECT_EQ(matrix->bytes.size(), 102U);
  EXPECT_EQ(matrix->bytes.front(), std::byte{1});
  const auto vector = file->tensor("norm.weight");
  ASSERT_TRUE(vector);
  EXPECT_EQ((*vector)->bytes.back(), std::byte{2});
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>((*vector)->bytes.data()) % 32, 0U);
}

TEST(File, missing_tensor_is_an_error_that_names_it) {
  const auto file = open_bytes(small_file());
  ASSERT_TRUE(file);
  EXPECT_EQ(file->find_tensor("output.weight"), nullptr);
  const auto tensor = file->tensor("output.weight");
  ASSERT_FALSE(tensor);
  EXPECT_THAT(tensor.error().message, HasSubstr("output.weight"));
  EXPECT_THAT(tensor.error().message, HasSubstr("test.gguf"));
}

TEST(File, views_stay_valid_when_moved) {
  auto file = open_bytes(small_file());
  ASSERT_TRUE(file);
  const std::string_view name = file->tensors()[0].name;
  const File moved = std::move(*file);
  EXPECT_EQ(moved.find_tensor("blk.0.weight")->name.data(), name.data());
  EXPECT_EQ(*moved.metadata().string("general.architecture"), "llama");
}

TEST(File, reads_version_2) {
  GgufWriter writer(32, 2);
  writer.set_u32("a", 7);
  const auto file = open_bytes(writer.finish());
  ASSERT_TRUE(file);
  EXPECT_EQ(*file->metadata().u32("a"), 7U);
}

TEST(File, refuses_other_versions_and_byte_order) {
  EXPECT_THAT(message_of(GgufWriter(32, 1).finish()), HasSubstr("version 1"));
  EXPECT_THAT(message_of(GgufWriter(32, 4).finish()), HasSubstr("version 4"));
  EXPECT_THAT(message_of(GgufWriter(32, 0x03000000).finish()), HasSubstr("big-endian"));
  EXPECT_THAT(message_of("GGML????"), HasSubstr("not a GGUF file"));
  EXPECT_THAT(message_of(""), HasSubstr("not a GGUF file"));
}

TEST(File, every_truncation_is_an_error) {
  const std::string whole = small_file();
  // The last tensor ends 16 bytes before the padded end of the file.
  for (std::size_t size = 0; size < whole.size() - 16; ++size) {
    EXPECT_FALSE(open_bytes(whole.substr(0, size))) << size;
  }
}

TEST(File, every_changed_byte_is_read_or_refused) {
  const std::string whole = small_file();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int bit : {0x01, 0x80, 0xff}) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ bit);
      const auto file = open_bytes(changed);
      if (!file) {
        EXPECT_THAT(file.error().message, HasSubstr("test.gguf: "));
        continue;
      }
      for (const Tensor& tensor : file->tensors()) EXPECT_EQ(tensor.bytes.size(), tensor.row_size * tensor.row_count());
    }
  }
}

TEST(File, lying_counts_do_not_allocate) {
  std::string bytes = small_file();
  const std::uint64_t huge = std::uint64_t{1} << 60;
  std::string tensor_count = bytes;
  std::memcpy(tensor_count.data() + 8, &huge, 8);
  EXPECT_THAT(message_of(tensor_count), HasSubstr("tensors, more than fit"));
  std::string key_count = bytes;
  std::memcpy(key_count.data() + 16, &huge, 8);
  EXPECT_THAT(message_of(key_count), HasSubstr("metadata keys, more than fit"));
}

TEST(File, lying_array_and_string_lengths_are_refused) {
  for (const std::uint64_t count : {std::uint64_t{1} << 62, std::uint64_t{0xffffffffffffffff}, std::uint64_t{100}}) {
    std::string array;
    append_encoded(array, static_cast<std::uint32_t>(ValueType::u64));
    append_encoded(array, count);
    GgufWriter writer;
    writer.set_raw("list", ValueType::array, array);
    EXPECT_THAT(message_of(writer.finish()), HasSubstr("list"));
    std::string text;
    append_encoded(text, count);
    GgufWriter other;
    other.set_raw("text", ValueType::string, text);
    EXPECT_THAT(message_of(other.finish()), HasSubstr("text"));
  }
}

TEST(File, refuses_unknown_value_types_and_nested_arrays) {
  GgufWriter unknown;
  unknown.set_raw("odd", static_cast<ValueType>(13), "");
  EXPECT_THAT(message_of(unknown.finish()), HasSubstr("odd"));
  std::string nested;
  append_encoded(nested, static_cast<std::uint32_t>(ValueType::array));
  append_encoded(nested, std::uint64_t{0});
  GgufWriter writer;
  writer.set_raw("nested", ValueType::array, nested);
  EXPECT_THAT(message_of(writer.finish()), HasSubstr("array of arrays"));
}

TEST(File, refuses_the_same_key_or_tensor_twice) {
  GgufWriter keys;
  keys.set_u32("a.key", 1);
  keys.set_u32("a.key", 2);
  EXPECT_THAT(message_of(keys.finish()), HasSubstr("a.key stands there twice"));
  GgufWriter tensors;
  tensors.add_tensor("same", kVector, TensorType::f32, std::string(16, '\0'));
  tensors.add_tensor("same", kVector, TensorType::f32, std::string(16, '\0'));
  EXPECT_THAT(message_of(tensors.finish()), HasSubstr("same name, same"));
}

TEST(File, refuses_overlapping_and_misplaced_tensors) {
  GgufWriter overlapping;
  overlapping.add_tensor_at("first", kVector, 0, 0, std::string(128, '\0'));
  overlapping.add_tensor_at("second", kMatrix, 8, 0, "");
  EXPECT_THAT(message_of(overlapping.finish()), HasSubstr("overlaps tensor"));
  GgufWriter misaligned;
  misaligned.add_tensor_at("odd", kVector, 0, 4, std::string(64, '\0'));
  EXPECT_THAT(message_of(misaligned.finish()), HasSubstr("odd is not aligned to 32"));
  for (const std::uint64_t offset : {std::uint64_t{64}, std::uint64_t{0xffffffffffffffe0}}) {
    GgufWriter outside;
    outside.add_tensor_at("far", kVector, 0, offset, std::string(64, '\0'));
    EXPECT_THAT(message_of(outside.finish()), HasSubstr("far ends behind the end"));
  }
}

TEST(File, refuses_impossible_dimensions) {
  const auto refused = [](std::span<const std::uint64_t> ne, std::uint32_t type) {
    GgufWriter writer;
    writer.add_tensor_at("t", ne, type, 0, std::string(64, '\0'));
    return message_of(writer.finish());
  };
  const std::uint64_t big = std::uint64_t{1} << 33;
  EXPECT_THAT(refused(std::array<std::uint64_t, 2>{big, big}, 0), HasSubstr("impossible dimensions"));
  EXPECT_THAT(refused(std::array<std::uint64_t, 2>{4, 0}, 0), HasSubstr("impossible dimensions"));
  EXPECT_THAT(refused(std::array<std::uint64_t, 1>{std::uint64_t{1} << 54}, 0), HasSubstr("ends behind the end"));
  EXPECT_THAT(refused(std::array<std::uint64_t, 1>{48}, 8), HasSubstr("not whole blocks of 32"));
  EXPECT_THAT(refused({}, 0), HasSubstr("0 dimensions"));
  EXPECT_THAT(refused(std::array<std::uint64_t, 5>{1, 1, 1, 1, 1}, 0), HasSubstr("5 dimensions"));
}

TEST(File, unsupported_tensor_type_names_tensor_type_and_choices) {
  GgufWriter writer;
  writer.add_tensor_at("blk.3.ffn_up.weight", kMatrix, 20, 0, std::string(64, '\0'));
  const std::string message = message_of(writer.finish());
  EXPECT_THAT(message, HasSubstr("blk.3.ffn_up.weight"));
  EXPECT_THAT(message, HasSubstr("IQ4_NL"));
  EXPECT_THAT(message, HasSubstr("Q4_K"));
}

TEST(File, honours_alignment_and_refuses_odd_ones) {
  GgufWriter wide(4096);
  wide.add_tensor("a", kVector, TensorType::f32, std::string(16, '\1'));
  wide.add_tensor("b", kVector, TensorType::f32, std::string(16, '\2'));
  const auto file = open_bytes(wide.finish());
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file->tensors()[1].bytes.data()) % 4096, 0U);
  EXPECT_EQ(file->tensors()[1].bytes[0], std::byte{2});
  for (const std::uint32_t alignment : {0U, 1U, 24U, 1U << 17}) {
    GgufWriter writer;
    writer.set_u32("general.alignment", alignment);
    EXPECT_THAT(message_of(writer.finish()), HasSubstr("general.alignment")) << alignment;
  }
}

TEST(File, refuses_one_part_of_a_split_model) {
  GgufWriter writer;
  writer.set_u32("split.count", 3);
  EXPECT_THAT(message_of(writer.finish()), HasSubstr("3 parts"));
}

TEST(File, names_in_messages_are_printable) {
  GgufWriter writer;
  writer.add_tensor_at("bad\n\x1b[31m", kVector, 99, 0, "");
  const std::string message = message_of(writer.finish());
  EXPECT_THAT(message, HasSubstr("bad??[31m"));
}

class FileOnDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::temp_directory_path() / ("stint-gguf-test-" + std::to_string(::getpid()) + ".gguf");
  }
  void TearDown() override { std::filesystem::remove(path_); }
  void write(std::string_view bytes) { std::ofstream(path_, std::ios::binary) << bytes; }

  std::filesystem::path path_;
};

TEST_F(FileOnDisk, maps_the_file_and_notices_a_change) {
  write(small_file());
  const auto file = File::open(path_.string());
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->size(), small_file().size());
  file->prefetch();
  file->release(file->tensors()[0]);
  EXPECT_EQ(file->tensors()[0].bytes[0], std::byte{1});
  EXPECT_TRUE(file->check_unchanged());
  std::ofstream(path_, std::ios::binary | std::ios::app) << "more";
  EXPECT_FALSE(file->check_unchanged());
}

TEST_F(FileOnDisk, says_why_a_path_cannot_be_opened) {
  EXPECT_THAT(File::open(path_.string()).error().message, HasSubstr("No such file"));
  write("");
  EXPECT_THAT(File::open(path_.string()).error().message, HasSubstr("empty"));
  EXPECT_THAT(File::open(std::filesystem::temp_directory_path().string()).error().message,
              HasSubstr("not a regular file"));
}

}  // namespace
}  // namespace stint::gguf
