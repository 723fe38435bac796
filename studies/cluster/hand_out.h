#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <set>
#include <vector>

namespace trestle::cluster {

/// Which rank has which runs. A rank that is silent, or that has not ended a run for long,
/// is given up: its runs go to others. It is no error if it comes back.
class HandOut {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Span = std::chrono::steady_clock::duration;

  /// @param patience  longest silence of a rank
  HandOut(int ranks, Span patience, Time now);

  void add(const std::vector<std::int64_t>& runs);
  /// How long a run takes, before any has ended.
  void expect(Span run) { longest_ = run; }
  /// The next runs, for this rank.
  std::vector<std::int64_t> next(int rank, std::size_t most, Time now);
  /// A sign of life.
  void heard(int rank, Time now);
  /// This process itself stood still, as a job that is suspended: all ranks have new time.
  void forgive(Time now);
  /// It was computed, by whichever rank; once or several times.
  void done(int rank, std::int64_t run, Time now);
  /// Ranks that must be given up since the last call; their runs are left again.
  std::vector<int> give_up(Time now);

  /// Not handed out, or given up.
  std::size_t left() const noexcept { return left_.size(); }
  bool all_done() const noexcept { return left_.empty() && out_ == 0; }

 private:
  struct Rank {
    std::set<std::int64_t> runs;  // that it has
    Time heard;
    Time progress;  // a run ended, or it had none
    bool given_up = false;
  };

  bool is_overdue(const Rank& rank, Time now) const;

  std::deque<std::int64_t> left_;
  std::vector<Rank> ranks_;
  std::size_t out_ = 0;
  Span patience_;
  Span longest_{0};  // that a run was waited for
};

}  // namespace trestle::cluster
