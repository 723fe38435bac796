#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <thread>

namespace trestle::openfresco {

/// Calls a lost laboratory again, every second, on a separate thread, until an attempt
/// succeeds. Says whose turn it is to use the connection: that of the thread that ticks, or
/// that of an attempt.
class Reconnection {
 public:
  /// @param attempt  connects and checks; throws std::exception if the laboratory cannot be
  ///                 used. Called on the thread of this object, and soon throws after
  ///                 is_cancelled() became true
  explicit Reconnection(std::function<void()> attempt);
  /// Ends the thread, if stop() did not.
  ~Reconnection();
  Reconnection(const Reconnection&) = delete;
  Reconnection& operator=(const Reconnection&) = delete;

  /// Ends the thread. The connection is the caller's from then on.
  void stop() noexcept;

  // Of the thread that ticks; neither waits nor allocates.

  /// The connection is lost: attempts begin.
  void start() noexcept;
  /// True once after an attempt that succeeded: the connection is back.
  bool take_success() noexcept;
  /// Whether the connection belongs to the thread that ticks.
  bool is_idle() const noexcept { return turn_ == Turn::kTicks; }

  /// Ends the attempts and takes the connection. Waits for one that runs to give up.
  void cancel() noexcept;
  /// True while cancel() waits.
  const std::atomic<bool>& is_cancelled() const noexcept { return cancelled_; }

  using Text = std::array<char, 160>;
  /// Why the last attempt failed; empty: none failed, or it is being written. Any thread.
  Text last_failure() const noexcept;

 private:
  /// Whose turn it is to use the connection.
  enum class Turn {
    kTicks,      ///< the ticks'
    kNone,       ///< nobody's
    kAttempt,    ///< an attempt's
    kSucceeded,  ///< the ticks', which have not seen it yet
  };

  void run() noexcept;

  const std::function<void()> attempt_;
  std::atomic<Turn> turn_{Turn::kTicks};
  std::atomic<bool> cancelled_{false};
  std::atomic<bool> leaving_{false};
  mutable std::atomic_flag failure_busy_ = ATOMIC_FLAG_INIT;
  Text failure_{};
  std::thread thread_;
};

}  // namespace trestle::openfresco
