#pragma once

#include <sys/types.h>

#include <array>
#include <csignal>
#include <string>
#include <vector>

namespace trestle::composition {

/// A signal that asked the program to end, and who sent it.
struct AskedBySignal {
  int number = 0;
  bool by_kernel = false;    ///< from the terminal: Ctrl-C, its end
  pid_t sender = 0;          ///< else this process,
  uid_t user = 0;            ///< of this user
  std::string name() const;  ///< "Ctrl-C", "SIGTERM"
};

/// The command that a signal means, in the words of the audit.
struct SignalWord {
  std::string by;      ///< user@host
  std::string from;    ///< "terminal", "signal"
  std::string reason;  ///< "Ctrl-C by ada@lab"
};
/// @param called  --as of this program, for its own terminal; may be empty
SignalWord word_of(const AskedBySignal& asked, const std::string& called);

/// Every signal that would end the program asks it to end safely instead. The handler only
/// stores which signal came and wakes the waiting thread. A closed output (SIGPIPE) does
/// not end the program.
///
/// While one is there, another takes its place until it ends; a signal that the
/// first has heard and nobody has taken is for the second. Thread: the main one.
class StopSignals {
 public:
  enum class Scope {
    kUsual,    ///< Ctrl-C, SIGTERM, and a terminal that is closed (but for `nohup`)
    kTest,     ///< all others by which a process ends, too: SIGQUIT, SIGXCPU, SIGUSR1, ...
    kRig,      ///< and nothing stops the program that drives a rig: Ctrl-Z is ignored
    kOpening,  ///< the same, and calls of a driver that wait are not interrupted
  };

  /// @param wake  called from the signal handler: async-signal-safe, or empty
  StopSignals(void (*wake)(void*), void* argument, Scope scope = Scope::kUsual);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Whether one is there.
  static bool any() noexcept;
  /// Returns the number of the last signal, taken or not. For the wake.
  static int last() noexcept;
  /// Returns how many were taken, ever. For the wake.
  static int followed() noexcept;
  /// Returns true if a stop was ever requested.
  static bool asked() noexcept;
  /// Returns true if a stop was requested since the last call; several count as one.
  static bool take(AskedBySignal& asked) noexcept;

  /// Called by the signal handler, on any thread.
  struct Wake {
    void (*call)(void*);
    void* argument;
  };

 private:
  void handle(int number, void (*handler)(int, siginfo_t*, void*), int flags = 0);

  struct Before {
    int number;
    struct sigaction action;
  };
  std::vector<Before> before_;
  Wake wake_;
  const Wake* wake_before_;
};

}  // namespace trestle::composition
