#pragma once

#include <cstdint>
#include <deque>
#include <optional>

namespace trestle::live {

/// How long a test still takes, by its own pace.
struct RemainingEstimate {
  double seconds = 0.0;     ///< of the wall clock
  double plus_minus = 0.0;  ///< half the spread of the pace, as time [s]
};

/// Estimates the time left from the pace of the last minute of running. Not counted are
/// holds, and waits in which no step was completed for long: for a site or a person.
///
/// The steps left are divided by the rate of the last 60 s of running. The spread is half
/// the distance between the times that follow from the 10th and the 90th percentile of the
/// rates in pieces of 10 s. There is no estimate before 10 s of running were seen, unless
/// the mode states the pace and the test keeps it.
class RemainingTime {
 public:
  /// One look at the test.
  /// @param now      of the wall clock, never smaller than before [s]
  /// @param steps    completed
  /// @param running  false: the test holds or waits for a person
  void add(double now, std::int64_t steps, bool running);

  /// Returns the estimate for `steps_left` more; nothing if it is too early, or the test
  /// stands still.
  /// @param stated  pace of the mode itself, as of real time [1/s]; 0: it has none
  std::optional<RemainingEstimate> left(std::int64_t steps_left, double stated = 0.0) const;

  /// Steps per second of running, over the last minute; 0: not known, as before a
  /// second of running was seen.
  double rate() const noexcept;
  /// How long no step was completed [s].
  double stands_still() const noexcept { return now_ - moved_; }

 private:
  struct Look {
    double ran = 0.0;  // time of running before it [s]
    std::int64_t steps = 0;
  };

  void forget_old();
  /// Steps are there after a long wait: they count as if they had come at the pace before.
  /// @param more        steps since the look before
  /// @param ran_before  time of running at that look [s]
  void leave_out_wait(std::int64_t steps, std::int64_t more, double ran_before);
  /// Longer without a step: a stand-still, not a slow step [s].
  double longest_step() const noexcept;
  /// Steps at a time of running, between two looks.
  double steps_at(double ran) const noexcept;

  bool started_ = false;
  bool running_ = false;  // at the last look
  double now_ = 0.0;
  double moved_ = 0.0;      // when a step was completed last
  std::int64_t steps_ = 0;  // at the last look
  double ran_ = 0.0;
  double ran_at_step_ = 0.0;     // when a step was completed last
  double pace_at_step_ = 0.0;    // [1/s]
  std::int64_t after_wait_ = 0;  // first step behind a wait that was left out
  std::deque<Look> looks_;
};

}  // namespace trestle::live
