#include "studies/cluster/hand_out.h"

#include <algorithm>

namespace trestle::cluster {
namespace {

// A run may take longer than all before it, but hardly ten times as long.
constexpr int kLongestTimes = 10;

}  // namespace

HandOut::HandOut(int ranks, Span patience, Time now)
    : ranks_(static_cast<std::size_t>(ranks), Rank{{}, now, now, false}),
      patience_(patience) {}

void HandOut::add(const std::vector<std::int64_t>& runs) {
  left_.insert(left_.end(), runs.begin(), runs.end());
}

std::vector<std::int64_t> HandOut::next(int rank, std::size_t most, Time now) {
  Rank& to = ranks_[static_cast<std::size_t>(rank)];
  std::vector<std::int64_t> runs;
  if (to.runs.empty()) to.progress = now;
  while (!left_.empty() && runs.size() < most) {
    const std::int64_t run = left_.front();
    left_.pop_front();
    runs.push_back(run);
    if (to.runs.insert(run).second) ++out_;
  }
  return runs;
}

void HandOut::heard(int rank, Time now) {
  Rank& from = ranks_[static_cast<std::size_t>(rank)];
  from.heard = now;
  from.given_up = false;
}

void HandOut::forgive(Time now) {
  for (Rank& rank : ranks_) rank.heard = rank.progress = now;
}

void HandOut::done(int rank, std::int64_t run, Time now) {
  Rank& from = ranks_[static_cast<std::size_t>(rank)];
  if (from.runs.contains(run)) longest_ = std::max(longest_, now - from.progress);
  from.progress = now;
  for (Rank& each : ranks_) out_ -= each.runs.erase(run);
  const auto again = std::find(left_.begin(), left_.end(), run);
  if (again != left_.end()) left_.erase(again);
}

bool HandOut::is_overdue(const Rank& rank, Time now) const {
  if (now - rank.heard > patience_) return true;
  return !rank.runs.empty() &&
         now - rank.progress > std::max(patience_, kLongestTimes * longest_);
}

std::vector<int> HandOut::give_up(Time now) {
  std::vector<int> given_up;
  for (std::size_t i = 1; i < ranks_.size(); ++i) {  // rank 0 is this process
    Rank& rank = ranks_[i];
    if (rank.given_up || !is_overdue(rank, now)) continue;
    rank.given_up = true;
    given_up.push_back(static_cast<int>(i));
    left_.insert(left_.begin(), rank.runs.begin(), rank.runs.end());
    out_ -= rank.runs.size();
    rank.runs.clear();
  }
  return given_up;
}

}  // namespace trestle::cluster
