// The C++ side of bench/tokenizer.py: loads vocabularies, encodes and decodes files, and answers one line for each
// command on stdin, so that its runs can alternate with a peer's. Trusts its input: only the benchmark talks to it.
#include <fmt/format.h>

#include <time.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/random.h"
#include "tokenizer/tokenizer.h"

namespace {

using stint::base::Random;
using stint::tokenizer::Encoder;
using stint::tokenizer::TokenId;
using stint::tokenizer::Tokenizer;
using stint::tokenizer::Trust;
using stint::tokenizer::Vocabulary;

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// CPU time of this thread: other processes on the machine slow neither side of a comparison.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Little-endian fields, as bench/vocabularies.py writes them.
class Reader {
 public:
  explicit Reader(std::string bytes) : bytes_(std::move(bytes)) {}
  template <typename T>
  T value() {
    T result{};
    bytes_.copy(reinterpret_cast<char*>(&result), sizeof(T), position_);
    position_ += sizeof(T);
    return result;
  }
  std::string text() {
    const auto size = value<std::uint32_t>();
    std::string result = bytes_.substr(position_, size);
    position_ += size;
    return result;
  }
  bool at_end() const { return position_ >= bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t position_ = 0;
};

Vocabulary read_vocabulary(const std::string& path) {
  Reader reader(read_file(path));
  Vocabulary vocabulary;
  vocabulary.algorithm = static_cast<stint::tokenizer::Algorithm>(reader.value<std::uint8_t>());
  vocabulary.pre_tokenizer = static_cast<stint::tokenizer::PreTokenizer>(reader.value<std::uint8_t>());
  const auto flags = reader.value<std::uint8_t>();
  vocabulary.add_space_prefix = (flags & 1) != 0;
  vocabulary.ignore_merges = (flags & 2) != 0;
  vocabulary.normalize_nfc = (flags & 4) != 0;
  const auto token_count = reader.value<std::uint32_t>();
  for (std::uint32_t i = 0; i < token_count; ++i) {
    vocabulary.tokens.push_back(reader.text());
    vocabulary.types.push_back(static_cast<stint::tokenizer::TokenType>(reader.value<std::uint8_t>()));
    vocabulary.scores.push_back(reader.value<float>());
  }
  const auto merge_count = reader.value<std::uint32_t>();
  for (std::uint32_t i = 0; i < merge_count; ++i) vocabulary.merges.push_back(reader.text());
  return vocabulary;
}

// `text` in parts of about `size` bytes that end where characters do; 0: one part.
std::vector<std::string_view> parts_of(std::string_view text, std::size_t size) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    std::size_t end = size == 0 ? text.size() : std::min(size, text.size());
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return parts;
}

class Driver {
 public:
  std::string answer(const std::string& line) {
    std::istringstream words(line);
    std::string command, name, path;
    words >> command >> name >> path;
    std::size_t number = 0;
    words >> number;
    if (command == "load") return load(name, path);
    if (command == "encode") return encode(name, path, number);
    if (command == "decode") return decode(name, path);
    if (command == "splits") return splits(name, path, number);
    std::string out;
    words.clear();
    words >> out;
    if (command == "ids") return ids(name, path, out);
    return "unknown command";
  }

 private:
  // Milliseconds that building the tables took.
  std::string load(const std::string& name, const std::string& path) {
    Vocabulary vocabulary = read_vocabulary(path);
    const double start = cpu_seconds();
    auto tokenizer = Tokenizer::build(std::move(vocabulary));
    const double seconds = cpu_seconds() - start;
    if (!tokenizer) return tokenizer.error().message;
    tokenizers_[name] = std::move(*tokenizer);
    return fmt::format("{}", seconds * 1e3);
  }

  const std::string& text(const std::string& path) {
    std::string& text = texts_[path];
    if (text.empty()) text = read_file(path);
    return text;
  }

  // Seconds for the whole file in parts of `size` bytes, the number of parts and of tokens.
  std::string encode(const std::string& name, const std::string& path, std::size_t size) {
    const std::vector<std::string_view> parts = parts_of(text(path), size);
    const Tokenizer& tokenizer = *tokenizers_.at(name);
    std::vector<TokenId> out;
    std::size_t token_count = 0;
    const double start = cpu_seconds();
    for (const std::string_view part : parts) {
      out.clear();
      tokenizer.encode(part, Trust::user, out);
      token_count += out.size();
    }
    const double seconds = cpu_seconds() - start;
    return fmt::format("{} {} {}", seconds, parts.size(), token_count);
  }

  std::string decode(const std::string& name, const std::string& path) {
    const Tokenizer& tokenizer = *tokenizers_.at(name);
    const std::vector<TokenId> tokens = tokenizer.encode(text(path), Trust::user);
    const double start = cpu_seconds();
    const std::string decoded = tokenizer.decode(tokens);
    const double seconds = cpu_seconds() - start;
    return decoded == text(path) ? fmt::format("{}", seconds) : "decoded text differs";
  }

  // Writes the ids of every sample of a file (count, then size and bytes each) to `out` (count and ids each).
  std::string ids(const std::string& name, const std::string& path, const std::string& out) {
    Reader samples(read_file(path));
    std::ofstream file(out, std::ios::binary);
    const auto put = [&file](std::uint32_t value) { file.write(reinterpret_cast<const char*>(&value), sizeof value); };
    const auto count = samples.value<std::uint32_t>();
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::vector<TokenId> tokens = tokenizers_.at(name)->encode(samples.text(), Trust::trusted);
      put(static_cast<std::uint32_t>(tokens.size()));
      for (const TokenId token : tokens) put(token);
    }
    return fmt::format("{}", count);
  }

  // Encodes random samples of a file in `count` random splits; answers the number that differ from the whole.
  std::string splits(const std::string& name, const std::string& path, std::size_t count) {
    Reader file(read_file(path));
    std::vector<std::string> samples(file.value<std::uint32_t>());
    for (std::string& sample : samples) sample = file.text();
    Random random(count);
    std::size_t different = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& sample = samples[random.below(samples.size())];
      const Trust trust = random.below(2) == 0 ? Trust::user : Trust::trusted;
      Encoder encoder(*tokenizers_.at(name), trust);
      std::vector<TokenId> out;
      const std::size_t longest = 1 + random.below(12);
      for (std::size_t position = 0; position < sample.size();) {
        const std::size_t size = std::min(sample.size() - position, 1 + random.below(longest));
        encoder.append(std::string_view(sample).substr(position, size), out);
        position += size;
      }
      encoder.finish(out);
      different += out != tokenizers_.at(name)->encode(sample, trust);
    }
    return fmt::format("{}", different);
  }

  std::map<std::string, std::unique_ptr<const Tokenizer>> tokenizers_;
  std::map<std::string, std::string> texts_;
};

}  // namespace

int main() {
  Driver driver;
  for (std::string line; std::getline(std::cin, line);) std::cout << driver.answer(line) << '\n' << std::flush;
  return 0;
}
