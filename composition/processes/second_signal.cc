#include "composition/processes/second_signal.h"

#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <ctime>

#include "composition/processes/stop_signals.h"

namespace trestle::composition {
namespace {

// A terminal that is closed is told by the kernel and by the shell, at about the same time.
constexpr std::int64_t kAgainNs = 1'000'000'000;

// In a signal handler: no thread, no allocation, no wait for a reader.
void write_if_read(const char* text) noexcept {
  pollfd one{STDERR_FILENO, POLLOUT, 0};
  if (poll(&one, 1, 0) == 1) [[maybe_unused]]
    const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
}

std::int64_t now_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

/// Others are repeated by the kernel or by a shell.
bool is_a_persons(int number) noexcept {
  return number == SIGINT || number == SIGTERM || number == SIGQUIT;
}

}  // namespace

void SecondSignal::hear(void* second_signal) {
  auto& self = *static_cast<SecondSignal*>(second_signal);
  const std::int64_t now = now_ns();
  const int followed = StopSignals::followed();
  if (self.first_ns_.load() == 0 || self.followed_.load() != followed) {
    self.first_ns_.store(now);  // before the count by which another thread takes it for new
    self.followed_.store(followed);
    return write_if_read(self.words_.first);
  }
  if (now - self.first_ns_.load() < kAgainNs || !is_a_persons(StopSignals::last())) return;
  write_if_read(self.words_.again);
  _exit(self.exit_code_);
}

}  // namespace trestle::composition
