#include "cli/signals.h"

#include <csignal>

namespace trestle {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<bool> stop_asked{false};              // NOLINT: see above
std::atomic<void (*)(void*)> wake_call{nullptr};  // NOLINT: see above
std::atomic<void*> wake_argument{nullptr};        // NOLINT: see above

void on_signal(int) {
  stop_asked.store(true);
  if (void (*wake)(void*) = wake_call.load()) wake(wake_argument.load());
}

}  // namespace

StopSignals::StopSignals(void (*wake)(void*), void* argument) {
  stop_asked.store(false);
  wake_argument.store(argument);
  wake_call.store(wake);
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  on_hang_up_ = before.sa_handler != SIG_IGN;
  if (on_hang_up_) sigaction(SIGHUP, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

StopSignals::~StopSignals() {
  wake_call.store(nullptr);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (on_hang_up_) std::signal(SIGHUP, SIG_DFL);
  std::signal(SIGPIPE, SIG_DFL);
}

bool StopSignals::asked() noexcept {
  return stop_asked.load();
}

}  // namespace trestle
