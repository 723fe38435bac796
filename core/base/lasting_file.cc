#include "core/base/lasting_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "core/base/replaceable.h"

namespace trestle {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  const bool full = error == ENOSPC || error == EDQUOT;
  throw std::runtime_error(
      path + ": cannot be " + what + " (" + std::generic_category().message(error) + "); " +
      (full ? "is the disk full? Free space on it"
            : "check that its folder exists, its permissions, and the disk"));
}

/// An open file or folder.
class Opened {
 public:
  Opened(const std::string& path, int flags, mode_t mode = 0) noexcept
      : number_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~Opened() {
    if (number_ >= 0) ::close(number_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  int number() const noexcept { return number_; }

 private:
  int number_;
};

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

bool write_all(int file, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// A durable draft beside `path`; the destructor removes it unless it was published.
class Draft {
 public:
  Draft(const std::string& path, std::string_view text, mode_t mode)
      : path_(path + ".part-" + std::to_string(::getpid())) {
    ::unlink(path_.c_str());  // of an earlier process of this number
    const Opened file(path_, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    if (file.number() < 0) fail(path, "made", errno);
    if (::fchmod(file.number(), mode) == 0 && write_all(file.number(), text) &&
        ::fsync(file.number()) == 0)
      return;
    const int error = errno;
    ::unlink(path_.c_str());
    fail(path, "written", error);
  }
  ~Draft() { ::unlink(path_.c_str()); }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  const char* path() const noexcept { return path_.c_str(); }

 private:
  std::string path_;
};

}  // namespace

void keep_file(const std::string& path, std::string_view text, mode_t mode) {
  require_replaceable(path);
  const Draft draft(path, text, mode);
  if (::rename(draft.path(), path.c_str()) != 0) fail(path, "written", errno);
  sync_folder(folder_of(path));
}

void keep_new_file(const std::string& path, std::string_view text, mode_t mode) {
  const Draft draft(path, text, mode);
  // A link never takes another's place, on any file system.
  if (::link(draft.path(), path.c_str()) != 0) {
    if (errno == EEXIST)
      throw std::runtime_error(path +
                               ": exists, and is never written over; move it away "
                               "first");
    fail(path, "made", errno);
  }
  sync_folder(folder_of(path));
}

void publish_file(const std::string& draft, const std::string& path) {
  {
    const Opened file(draft, O_RDONLY);
    if (file.number() < 0 || ::fsync(file.number()) != 0) fail(path, "written", errno);
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) fail(path, "written", errno);
  sync_folder(folder_of(path));
}

void move_file(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail(from, "moved", errno);
  sync_folder(folder_of(to));
  if (folder_of(from) != folder_of(to)) sync_folder(folder_of(from));
}

void make_folders(const std::string& folder) {
  std::vector<fs::path> missing;
  fs::path at = fs::path(folder).lexically_normal();
  if (!at.has_filename()) at = at.parent_path();
  std::error_code error;
  for (; !at.empty() && !fs::exists(at, error) && !error; at = at.parent_path())
    missing.push_back(at);
  if (error) fail(folder, "made", error.value());
  for (auto next = missing.rbegin(); next != missing.rend(); ++next) {
    if (::mkdir(next->c_str(), 0777) != 0 && errno != EEXIST) fail(folder, "made", errno);
    sync_folder(folder_of(next->string()));
  }
  if (!fs::is_directory(folder, error)) fail(folder, "made", ENOTDIR);
}

void sync_folder(const std::string& folder) {
  const Opened place(folder, O_RDONLY | O_DIRECTORY);
  // A file system without this function returns EINVAL; it has no better one.
  if (place.number() < 0 || (::fsync(place.number()) != 0 && errno != EINVAL))
    fail(folder, "made safe from a loss of power", errno);
}

bool write_in_place(const std::string& path, std::string_view text,
                    std::size_t room) noexcept {
  const Opened file(path, O_WRONLY | O_CREAT, 0644);
  if (file.number() < 0 || room == 0) return false;
  std::array<char, 4096> block{};
  text = text.substr(0, room - 1);
  for (std::size_t at = 0; at < room; at += block.size()) {
    const std::size_t size = room - at < block.size() ? room - at : block.size();
    block.fill('\n');
    if (at < text.size()) text.substr(at).copy(block.data(), size);
    if (::pwrite(file.number(), block.data(), size, static_cast<off_t>(at)) !=
        static_cast<ssize_t>(size))
      return false;
  }
  return ::fsync(file.number()) == 0;
}

}  // namespace trestle
