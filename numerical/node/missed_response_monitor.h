#pragma once

#include <cstdint>
#include <vector>

namespace trestle::integrator_node {

/// How many answers of one site were missed: in a row, and in a window that moves along.
class MissedResponseMonitor {
 public:
  enum class Verdict {
    kWithin,
    kInARow,    ///< more in a row than allowed
    kInWindow,  ///< more in the window than allowed
  };

  /// @param max_consecutive   allowed, >= 0
  /// @param max_in_window  allowed, >= 0
  /// @param window          steps, >= 1
  MissedResponseMonitor(int max_consecutive, int max_in_window, std::int64_t window)
      : most_in_a_row_(max_consecutive),
        most_in_window_(max_in_window),
        missed_(static_cast<std::size_t>(window < 1 ? 1 : window), false) {}

  /// The next step.
  Verdict add(bool missed) noexcept {
    if (missed_[at_]) --in_window_;
    missed_[at_] = missed;
    at_ = at_ + 1 == missed_.size() ? 0 : at_ + 1;
    in_a_row_ = missed ? in_a_row_ + 1 : 0;
    if (!missed) return Verdict::kWithin;
    ++all_;
    ++in_window_;
    if (in_a_row_ > most_in_a_row_) return Verdict::kInARow;
    return in_window_ > most_in_window_ ? Verdict::kInWindow : Verdict::kWithin;
  }

  /// After a hold: what led to it does not count against what follows.
  void reset_counts() noexcept {
    missed_.assign(missed_.size(), false);
    in_a_row_ = in_window_ = 0;
  }

  std::int64_t all() const noexcept { return all_; }
  int in_a_row() const noexcept { return in_a_row_; }
  int in_window() const noexcept { return in_window_; }

 private:
  int most_in_a_row_;
  int most_in_window_;
  std::vector<bool> missed_;  // of the last steps, a ring
  std::size_t at_ = 0;
  int in_a_row_ = 0;
  int in_window_ = 0;
  std::int64_t all_ = 0;
};

}  // namespace trestle::integrator_node
