#include "core/host/crash_handler.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstring>

namespace trestle::host {
namespace {

constexpr std::size_t kStackBytes = std::size_t{64} * 1024;
constexpr unsigned kLongest = 1;  // [s]

// A handler is handed nothing but the signal: what it needs must be found without `this`.
std::atomic<CrashHandler::Function> last_function{nullptr};
std::atomic<void*> last_argument{nullptr};
std::atomic<bool> speaking{false};
thread_local bool speaks_here = false;

const char* line_of(int signal) noexcept {
  switch (signal) {
    case SIGABRT:
      return "trestle: a failed assertion or abort; the rig was told to hold\n";
    case SIGSEGV:
      return "trestle: segmentation fault; the rig was told to hold\n";
    case SIGBUS:
      return "trestle: bus error; the rig was told to hold\n";
    case SIGFPE:
      return "trestle: arithmetic fault; the rig was told to hold\n";
    case SIGSYS:
      return "trestle: bad system call; the rig was told to hold\n";
    case SIGTRAP:
      return "trestle: trap; the rig was told to hold\n";
    default:
      return "trestle: illegal instruction; the rig was told to hold\n";
  }
}

/// A function that never comes back must not keep a broken process alive.
void limit_time() noexcept {
  signal(SIGALRM, SIG_DFL);
  sigset_t alarm_alone;
  sigemptyset(&alarm_alone);
  sigaddset(&alarm_alone, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarm_alone, nullptr);
  alarm(kLongest);
}

void die_of(int signal_number) noexcept {
  signal(signal_number, SIG_DFL);
  sigset_t alone;
  sigemptyset(&alone);
  sigaddset(&alone, signal_number);
  pthread_sigmask(SIG_UNBLOCK, &alone, nullptr);
  raise(signal_number);
}

extern "C" void say_last_words(int signal_number) {
  if (speaking.exchange(true)) {
    // Another thread's crash is being reported, which ends the process.
    while (!speaks_here) pause();
    return die_of(signal_number);
  }
  speaks_here = true;
  limit_time();
  if (const CrashHandler::Function function = last_function.load()) {
    function(last_argument.load());
    const char* line = line_of(signal_number);
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line, std::strlen(line));
  }
  die_of(signal_number);
}

}  // namespace

AlternateSignalStack::AlternateSignalStack() : memory_(new std::byte[kStackBytes]()) {
  stack_t stack{};
  stack.ss_sp = memory_.get();
  stack.ss_size = kStackBytes;
  sigaltstack(&stack, &before_);
}

AlternateSignalStack::~AlternateSignalStack() {
  sigaltstack(&before_, nullptr);
}

CrashHandler::CrashHandler(Function function, void* argument) {
  assert(last_function.load() == nullptr);
  last_argument = argument;
  last_function = function;
  struct sigaction action {};
  action.sa_handler = say_last_words;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (const int signal_number : kSignals) sigaddset(&action.sa_mask, signal_number);
  for (std::size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], &action, &before_[i]);
}

CrashHandler::~CrashHandler() {
  for (std::size_t i = 0; i < kSignals.size(); ++i)
    sigaction(kSignals[i], &before_[i], nullptr);
  last_function = nullptr;
}

}  // namespace trestle::host
