#include "composition/processes/opening_signals.h"

#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <ctime>

namespace trestle::composition {
namespace {

// A terminal that is closed is told by the kernel and by the shell, at about the same time.
constexpr std::int64_t kAskedAgainNs = 1'000'000'000;

// In a signal handler: no thread, no allocation, no wait for a reader.
void write_if_read(const char* text, std::size_t size) noexcept {
  pollfd one{STDERR_FILENO, POLLOUT, 0};
  if (poll(&one, 1, 0) == 1) [[maybe_unused]]
    const ssize_t written = write(STDERR_FILENO, text, size);
}

std::int64_t now_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

}  // namespace

OpeningSignals::OpeningSignals(int exit_code) : exit_code_(exit_code) {
  signals_.emplace(ask, this, StopSignals::Scope::kRig);
}

void OpeningSignals::ask(void* opening) {
  auto& self = *static_cast<OpeningSignals*>(opening);
  const std::int64_t now = now_ns();
  std::int64_t first = 0;
  if (self.first_ns_.compare_exchange_strong(first, now) || now - first < kAskedAgainNs)
    return;
  static constexpr char kWords[] =
      "trestle: asked again to end while a rig is being opened or closed: ends at once; "
      "nothing confirms that the rig holds: see to the equipment\n";
  write_if_read(kWords, sizeof kWords - 1);
  _exit(self.exit_code_);
}

void OpeningSignals::opened(bool real_equipment) {
  if (real_equipment) return;
  signals_.reset();
  if (AskedBySignal asked; StopSignals::take(asked)) raise(asked.number);
}

}  // namespace trestle::composition
