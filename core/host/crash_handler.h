#pragma once

#include <array>
#include <csignal>
#include <cstddef>
#include <memory>

namespace trestle::host {

/// An alternate stack for the signal handlers of the calling thread, so that a thread with
/// an exhausted stack can still report its crash. A thread that may crash keeps one while
/// it lives.
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

/// The last action of a process that crashes: by a failed assertion (SIGABRT), or by
/// SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS or SIGTRAP.
///
/// The handler calls one function, once, whatever the thread, writes one line to stderr,
/// and lets the process die of the same signal. A crash within that function ends the
/// process immediately, and so does a function that takes longer than a second. The
/// function must neither allocate nor wait for a lock, because the program may be corrupt.
///
/// Only one may exist in a process at a time.
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

}  // namespace trestle::host
