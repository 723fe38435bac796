#include "composition/processes/rig_opening.h"

#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <ctime>

#include "composition/processes/opening_signals.h"

namespace trestle::composition {
namespace {

// A terminal that is closed is told by the kernel and by the shell, at about the same time.
constexpr std::int64_t kAskedAgainNs = 1'000'000'000;

// In a signal handler: no thread, no allocation, no wait for a reader.
template <std::size_t Size>
void write_if_read(const char (&text)[Size]) noexcept {
  pollfd one{STDERR_FILENO, POLLOUT, 0};
  if (poll(&one, 1, 0) == 1) [[maybe_unused]]
    const ssize_t written = write(STDERR_FILENO, text, Size - 1);
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

RigOpening::RigOpening() {
  OpeningSignals* const program = OpeningSignals::of_this_program();
  if (program == nullptr) return;
  program->begin();
  signals_.emplace(hear, this, StopSignals::Scope::kOpening);
}

RigOpening::~RigOpening() {
  if (!signals_) return;
  signals_.reset();
  OpeningSignals::of_this_program()->end(real_);
}

void RigOpening::hear(void* opening) {
  auto& self = *static_cast<RigOpening*>(opening);
  const std::int64_t now = now_ns();
  std::int64_t first = 0;
  if (self.first_ns_.compare_exchange_strong(first, now))
    return write_if_read(
        "trestle: a signal came while a rig is being opened; it is followed as soon as the "
        "rig is open. If its driver hangs: Ctrl-C or SIGTERM once more, a second later, "
        "ends this program at once, and nothing asks the rig to hold\n");
  if (now - first < kAskedAgainNs || !is_a_persons(StopSignals::last())) return;
  write_if_read(
      "trestle: asked again to end while a rig is being opened: ends at once; nothing "
      "confirms that the rig holds: see to the equipment\n");
  _exit(OpeningSignals::of_this_program()->exit_code());
}

}  // namespace trestle::composition
