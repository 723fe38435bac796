#include "core/base/atomic_file.h"

#include <fcntl.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <utility>

#include "core/base/output_path.h"

namespace trestle {
namespace {

constexpr int kLooksForReader = 60;
constexpr std::chrono::milliseconds kBetweenLooks(50);

/// Opens a pipe that a process reads, or begins to read within three seconds; a plain open
/// would block until one does.
/// @returns null, with errno, if it cannot be opened
std::FILE* open_pipe(const std::string& path) {
  int pipe = -1;
  // A shell may start the reader after us.
  for (int looks = 0; pipe < 0 && looks < kLooksForReader; ++looks) {
    if (looks > 0) std::this_thread::sleep_for(kBetweenLooks);
    pipe = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (pipe < 0 && errno != ENXIO) return nullptr;
  }
  if (pipe < 0 && errno == ENXIO)
    throw std::runtime_error("cannot write " + path +
                             ": it is a pipe that no process reads; start the reader "
                             "first, or name a plain file");
  if (pipe < 0) return nullptr;
  ::fcntl(pipe, F_SETFL, ::fcntl(pipe, F_GETFL) & ~O_NONBLOCK);
  return ::fdopen(pipe, "wb");
}

}  // namespace

void AtomicFile::Close::operator()(std::FILE* file) const noexcept {
  if (file == stdout)
    std::fflush(file);
  else
    std::fclose(file);
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  namespace fs = std::filesystem;
  if (path_ == "-") {
    path_ = "the standard output";
    file_.reset(stdout);
    return;
  }
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) fail(EISDIR);
  require_no_part_of_a_run(path_);
  if (!fs::exists(path_, ignored) || fs::is_regular_file(path_, ignored))
    temporary_ = draft_path(path_);
  file_.reset(temporary_.empty() && fs::is_fifo(path_, ignored)
                  ? open_pipe(path_)
                  : std::fopen((temporary_.empty() ? path_ : temporary_).c_str(), "wb"));
  if (!file_) {
    const int error = errno;
    temporary_.clear();  // was never made
    fail(error);
  }
}

AtomicFile::~AtomicFile() {
  file_.reset();
  std::error_code ignored;
  if (!temporary_.empty()) std::filesystem::remove(temporary_, ignored);
}

void AtomicFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail(errno);
}

void AtomicFile::keep() {
  if (std::fflush(file_.get()) != 0) fail(errno);
  std::FILE* const file = file_.release();
  if (file != stdout && std::fclose(file) != 0) fail(errno);
  if (temporary_.empty()) return;
  std::error_code error;
  std::filesystem::rename(temporary_, path_, error);
  if (error) fail(error.value());
  temporary_.clear();
}

void AtomicFile::fail(int error) const {
  throw std::runtime_error(cannot_write(path_, error));
}

}  // namespace trestle
