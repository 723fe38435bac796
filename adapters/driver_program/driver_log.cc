#include "adapters/driver_program/driver_log.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "adapters/driver/futex.h"
#include "adapters/plugin/monotonic_ns.h"
#include "core/host/quiet_thread.h"

namespace trestle::driver_program {
namespace {

constexpr std::int64_t kFarewell = 1'000'000'000;      // [ns]
constexpr std::int64_t kBetweenLooks = 1'000'000'000;  // [ns], at most asleep

bool write_all(int descriptor, const char* text) noexcept {
  std::size_t left = std::strlen(text);
  while (left > 0) {
    const ssize_t count = ::write(descriptor, text, left);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text += count;
    left -= static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace

/// A bounded queue of many writers and one reader (D. Vyukov): a place has a turn, which
/// tells whose it is. Outlives its log if the descriptor keeps the thread from ending.
struct DriverLog::Shared {
  Shared(int to, std::size_t room) : descriptor(to), lines(std::max<std::size_t>(room, 2)) {
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i].turn = i;
  }

  const int descriptor;
  std::vector<Line> lines;
  std::atomic<std::uint64_t> begun{0};      // lines that have a place
  std::atomic<std::uint32_t> news{0};       // the thread sleeps on it
  std::atomic<std::uint32_t> written{0};    // lines, or dropped there; flush() sleeps on it
  std::atomic<std::uint64_t> dropped{0};    // no place was free
  std::atomic<std::uint64_t> unwritten{0};  // the descriptor did not take them
  std::atomic<bool> ending{false};
  std::uint64_t told = 0;  // the thread's, of `dropped`

  void run() noexcept;
  void write_line(Line& line) noexcept;
};

void DriverLog::Shared::run() noexcept {
  for (std::uint64_t number = 0;;) {
    const std::uint32_t seen = news.load();
    Line& line = lines[number % lines.size()];
    if (line.turn.load(std::memory_order_acquire) == number + 1) {
      write_line(line);
      line.turn.store(number + lines.size(), std::memory_order_release);
      ++number;
      written.fetch_add(1);
      driver::wake(written);
    } else if (ending.load()) {
      return;
    } else {
      driver::wait_while(news, seen, plugin::monotonic_ns() + kBetweenLooks);
    }
  }
}

void DriverLog::Shared::write_line(Line& line) noexcept {
  if (!write_all(descriptor, line.text.data())) unwritten.fetch_add(1);
  const std::uint64_t missing = dropped.load();
  if (missing == told) return;
  std::array<char, kLongestLine> text{};
  std::snprintf(text.data(), text.size(),
                "... %llu lines are missing here: nobody took them\n",
                static_cast<unsigned long long>(missing - told));
  if (write_all(descriptor, text.data())) told = missing;
}

DriverLog::DriverLog(int descriptor, std::size_t room)
    : shared_(std::make_shared<Shared>(descriptor, room)) {
  host::quiet_thread([shared = shared_] { shared->run(); }).detach();
}

DriverLog::~DriverLog() {
  flush(kFarewell);
  shared_->ending = true;
  shared_->news.fetch_add(1);
  driver::wake(shared_->news);
}

/// The place of the next line; null: there is none.
DriverLog::Line* DriverLog::begin() noexcept {
  std::uint64_t number = shared_->begun.load();
  while (true) {
    Line& line = shared_->lines[number % shared_->lines.size()];
    const std::uint64_t turn = line.turn.load(std::memory_order_acquire);
    if (turn == number) {
      if (!shared_->begun.compare_exchange_weak(number, number + 1)) continue;
      line.number = number;
      return &line;
    }
    if (turn < number) {
      shared_->dropped.fetch_add(1);
      return nullptr;
    }
    number = shared_->begun.load();  // another thread took it
  }
}

void DriverLog::end(Line& line) noexcept {
  std::strcat(line.text.data(), "\n");  // snprintf left room for it
  line.turn.store(line.number + 1, std::memory_order_release);
  shared_->news.fetch_add(1);
  driver::wake(shared_->news);
}

bool DriverLog::flush(std::int64_t patience_ns) noexcept {
  const auto all = static_cast<std::uint32_t>(shared_->begun.load());
  const std::int64_t deadline = plugin::monotonic_ns() + patience_ns;
  while (true) {
    const std::uint32_t written = shared_->written.load();
    if (static_cast<std::int32_t>(all - written) <= 0) return true;
    if (plugin::monotonic_ns() >= deadline) return false;
    driver::wait_while(shared_->written, written, deadline);
  }
}

std::uint64_t DriverLog::dropped() const noexcept {
  return shared_->dropped.load() + shared_->unwritten.load();
}

}  // namespace trestle::driver_program
