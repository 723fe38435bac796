#include "core/host/line_writer.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "core/host/quiet_thread.h"

namespace trestle::host {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr std::chrono::seconds kFarewell{1};
// Between two looks at whether the writer shall end.
constexpr int kLookMilliseconds = 50;
// A pipe that is ready takes so much without waiting.
constexpr std::size_t kPiece = 4096;
// To the first column, and everything behind it away.
constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace

/// Outlives its LineWriter if the reader keeps the thread from ending.
struct LineWriter::Shared {
  int descriptor = -1;
  std::size_t room = 0;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::string> texts;    // guarded
  std::optional<std::string> line;  // guarded: to be drawn
  bool ending = false;              // guarded
  bool ended = false;               // guarded
  SteadyTime end_by;                // guarded
  std::atomic<std::uint64_t> dropped{0};
  std::uint64_t told = 0;  // the thread's
  std::string drawn;       // the thread's

  void run();
  bool write_all(const std::string& text);
  bool write_and_draw(const std::string& text, std::string next);
  bool too_late();
};

bool LineWriter::Shared::too_late() {
  const std::lock_guard lock(mutex);
  return ending && std::chrono::steady_clock::now() >= end_by;
}

/// @returns false if nothing more can be written
bool LineWriter::Shared::write_all(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    pollfd ready{descriptor, POLLOUT, 0};
    const int count = poll(&ready, 1, kLookMilliseconds);
    if (count == 0 || (count < 0 && errno == EINTR)) {
      if (too_late()) return false;
      continue;
    }
    if (count < 0) return false;
    const ssize_t written =
        ::write(descriptor, text.data() + done, std::min(kPiece, text.size() - done));
    if (written > 0)
      done += static_cast<std::size_t>(written);
    else if (errno != EAGAIN && errno != EINTR)
      return false;
    else if (too_late())
      return false;
  }
  return true;
}

/// Clears the line that is drawn, writes the text, and draws the new line below it.
/// @returns false where nothing more can be written
bool LineWriter::Shared::write_and_draw(const std::string& text, std::string next) {
  const std::string clear = drawn.empty() ? "" : kClearLine;
  drawn = std::move(next);
  return write_all(clear + text + drawn);
}

void LineWriter::Shared::run() {
  bool lost = false;
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return ending || line || !texts.empty(); });
    if (texts.empty() && !line) break;
    std::string text;
    if (!texts.empty()) {
      text = std::move(texts.front());
      texts.pop_front();
    }
    std::string next = line ? std::move(*line) : drawn;
    line.reset();
    lock.unlock();
    if (!lost && !(text.empty() && next == drawn)) {
      lost = !write_and_draw(text, std::move(next));
      const std::uint64_t missing = dropped.load();
      if (!lost && missing > told) {
        lost = !write_and_draw("... " + std::to_string(missing - told) +
                                   " lines are missing here: nobody read them\n",
                               drawn);
        told = missing;
      }
    }
    if (lost && !text.empty()) dropped.fetch_add(1);
    lock.lock();
  }
  ended = true;
  changed.notify_all();
}

LineWriter::LineWriter(int descriptor, std::size_t room)
    : shared_(std::make_shared<Shared>()) {
  shared_->descriptor = descriptor;
  shared_->room = room;
  quiet_thread([shared = shared_] { shared->run(); }).detach();
}

LineWriter::~LineWriter() {
  std::unique_lock lock(shared_->mutex);
  shared_->end_by = std::chrono::steady_clock::now() + kFarewell;
  shared_->ending = true;
  shared_->changed.notify_all();
  // A write that waits all the same is left alone: the thread holds what it needs.
  shared_->changed.wait_for(lock, 2 * kFarewell, [this] { return shared_->ended; });
}

void LineWriter::write(std::string text) {
  const std::lock_guard lock(shared_->mutex);
  if (shared_->texts.size() >= shared_->room) {
    shared_->dropped.fetch_add(1);
    return;
  }
  shared_->texts.push_back(std::move(text));
  shared_->changed.notify_all();
}

void LineWriter::renew(std::string line) {
  const std::lock_guard lock(shared_->mutex);
  shared_->line = std::move(line);
  shared_->changed.notify_all();
}

std::uint64_t LineWriter::dropped() const noexcept {
  return shared_->dropped.load();
}

void write_last_words(int descriptor, const char* text) noexcept {
  try {
    LineWriter(descriptor).write(text);
  } catch (const std::exception&) {
    // The host has no thread or no memory for it: the process ends without them.
  }
}

}  // namespace trestle::host
