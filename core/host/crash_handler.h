#pragma once

#include <array>
#include <csignal>
#include <cstddef>
#include <memory>

namespace trestle {

/// A stack for the calling thread's signal handlers, so that a thread that has none left of
/// its own can still say its last words. A thread that may crash so holds one while it
/// lives.
class AlternateSignalStack {
 public:
  AlternateSignalStack();
  ~AlternateSignalStack();
  AlternateSignalStack(const AlternateSignalStack&) = delete;
  AlternateSignalStack& operator=(const AlternateSignalStack&) = delete;

 private:
  std::unique_ptr<std::byte[]> memory_;
  stack_t before_{};
};

/// What the process still does when it dies of itself: of a failed assertion (SIGABRT), or
/// of SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS or SIGTRAP.
///
/// The handler calls one function, once, whatever the thread, writes one line to stderr,
/// and lets the process die of the same signal. A crash within that function ends the
/// process at once, and so does the function itself when it takes longer than a second.
/// What the function calls is what the state of a broken program allows: it must not
/// allocate, nor wait for a lock.
///
/// One at a time in a process; from the thread that makes it until it is destroyed.
class CrashHandler {
 public:
  using Function = void (*)(void* argument) noexcept;

  CrashHandler(Function function, void* argument);
  ~CrashHandler();
  CrashHandler(const CrashHandler&) = delete;
  CrashHandler& operator=(const CrashHandler&) = delete;

  static constexpr std::array kSignals = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE,
                                          SIGILL,  SIGSYS,  SIGTRAP};

 private:
  AlternateSignalStack stack_;
  std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace trestle
