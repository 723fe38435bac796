#include "composition/processes/stop_signals.h"

#include <atomic>
#include <cstring>

#include "core/host/person.h"

namespace trestle::composition {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<bool> stop_asked{false};                      // NOLINT: see above
std::atomic<bool> stop_untaken{false};                    // NOLINT: see above
std::atomic<int> stops_taken{0};                          // NOLINT: see above
std::atomic<int> stop_number{0};                          // NOLINT: see above
std::atomic<bool> stop_by_kernel{false};                  // NOLINT: see above
std::atomic<pid_t> stop_sender{0};                        // NOLINT: see above
std::atomic<uid_t> stop_user{0};                          // NOLINT: see above
std::atomic<const StopSignals::Wake*> wake_now{nullptr};  // NOLINT: see above
std::atomic<int> instances{0};                            // NOLINT: see above

void on_signal(int number, siginfo_t* facts, void* /*context*/) {
  const int error = errno;
  stop_number.store(number);
  stop_by_kernel.store(facts == nullptr || facts->si_code > 0);
  stop_sender.store(facts == nullptr ? 0 : facts->si_pid);
  stop_user.store(facts == nullptr ? 0 : facts->si_uid);
  stop_asked.store(true);
  stop_untaken.store(true);
  const StopSignals::Wake* const wake = wake_now.load();
  if (wake != nullptr && wake->call != nullptr) wake->call(wake->argument);
  errno = error;
}

constexpr std::array kUsualSignals{SIGINT, SIGTERM, SIGHUP};
// By default each of them ends a process. Those of a crash are CrashHandler' to answer.
constexpr std::array kEndingSignals{SIGQUIT, SIGXCPU, SIGUSR1,   SIGUSR2, SIGALRM,
                                    SIGPROF, SIGIO,   SIGVTALRM, SIGPWR,  SIGSTKFLT};
constexpr std::array kSuspendingSignals{SIGTSTP, SIGTTIN, SIGTTOU};

}  // namespace

std::string AskedBySignal::name() const {
  if (number == SIGINT && by_kernel) return "Ctrl-C";
  if (number == SIGHUP && by_kernel) return "the end of the terminal (SIGHUP)";
  const char* const word = sigabbrev_np(number);
  return word != nullptr ? std::string("SIG") + word : "signal " + std::to_string(number);
}

SignalWord word_of(const AskedBySignal& asked, const std::string& called) {
  SignalWord word;
  word.by = asked.by_kernel ? host::this_person(called).text
                            : host::person_behind(asked.sender, asked.user).text;
  word.from = asked.by_kernel ? "terminal" : "signal";
  word.reason = asked.name() + " by " + word.by;
  return word;
}

StopSignals::StopSignals(void (*wake)(void*), void* argument, Scope scope)
    : wake_{wake, argument}, wake_before_(wake_now.load()) {
  if (instances.fetch_add(1) == 0) {
    stop_asked.store(false);
    stop_untaken.store(false);
  }
  wake_now.store(&wake_);
  const int flags = scope == Scope::kOpening ? SA_RESTART : 0;
  for (const int number : kUsualSignals) handle(number, on_signal, flags);
  handle(SIGPIPE, nullptr);
  if (scope == Scope::kUsual) return;
  for (const int number : kEndingSignals) handle(number, on_signal, flags);
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number)
    handle(number, on_signal, flags);
  if (scope == Scope::kTest) return;
  for (const int number : kSuspendingSignals) handle(number, nullptr);
}

/// @param handler  null: the signal is ignored
void StopSignals::handle(int number, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction now {};
  if (sigaction(number, nullptr, &now) != 0) return;
  // Started with `nohup`: the program must outlive the terminal.
  if (number == SIGHUP && now.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  if (handler == nullptr) {
    action.sa_handler = SIG_IGN;
  } else {
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | flags;
  }
  if (sigaction(number, &action, nullptr) == 0) before_.push_back({number, now});
}

StopSignals::~StopSignals() {
  wake_now.store(wake_before_);
  for (const Before& each : before_) sigaction(each.number, &each.action, nullptr);
  instances.fetch_sub(1);
}

bool StopSignals::any() noexcept {
  return instances.load() > 0;
}

int StopSignals::last() noexcept {
  return stop_number.load();
}

int StopSignals::followed() noexcept {
  return stops_taken.load();
}

bool StopSignals::asked() noexcept {
  return stop_asked.load();
}

bool StopSignals::take(AskedBySignal& asked) noexcept {
  if (!stop_untaken.exchange(false)) return false;
  stops_taken.fetch_add(1);
  asked.number = stop_number.load();
  asked.by_kernel = stop_by_kernel.load();
  asked.sender = stop_sender.load();
  asked.user = stop_user.load();
  return true;
}

}  // namespace trestle::composition
