#include "core/host/line_writer.h"

#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace trestle {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr std::chrono::seconds kFarewell{1};
// Between two looks at whether the writer shall end.
constexpr int kLookMilliseconds = 50;
// A pipe that is ready takes so much without waiting.
constexpr std::size_t kPiece = 4096;

}  // namespace

/// Outlives its LineWriter if the reader keeps the thread from ending.
struct LineWriter::Shared {
  int descriptor = -1;
  std::size_t room = 0;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::string> texts;  // guarded
  bool ending = false;            // guarded
  bool ended = false;             // guarded
  SteadyTime end_by;              // guarded
  std::atomic<std::uint64_t> dropped{0};
  std::uint64_t told = 0;  // the thread's

  void run();
  bool write_all(const std::string& text);
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

void LineWriter::Shared::run() {
  bool lost = false;
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return ending || !texts.empty(); });
    if (texts.empty()) break;
    const std::string text = std::move(texts.front());
    texts.pop_front();
    lock.unlock();
    if (!lost) {
      lost = !write_all(text);
      const std::uint64_t missing = dropped.load();
      if (!lost && missing > told) {
        lost = !write_all("... " + std::to_string(missing - told) +
                          " lines are missing here: nobody read them\n");
        told = missing;
      }
    }
    if (lost) dropped.fetch_add(1);
    lock.lock();
  }
  ended = true;
  changed.notify_all();
}

LineWriter::LineWriter(int descriptor, std::size_t room)
    : shared_(std::make_shared<Shared>()) {
  shared_->descriptor = descriptor;
  shared_->room = room;
  // Signals are for the threads that act on them.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  for (const int crash : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigdelset(&all, crash);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([shared = shared_] { shared->run(); }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
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

std::uint64_t LineWriter::dropped() const noexcept {
  return shared_->dropped.load();
}

}  // namespace trestle
