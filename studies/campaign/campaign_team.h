#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "studies/campaign/campaign_identity.h"
#include "studies/campaign/run_messages.h"
#include "studies/cluster/hand_out.h"
#include "studies/cluster/task_ring.h"

namespace trestle::campaign {

/// How long the ranks of a campaign wait for each other.
struct TeamTimes {
  std::chrono::milliseconds alive{5'000};     ///< between two signs of life
  std::chrono::milliseconds silence{60'000};  ///< a rank that says nothing so long is lost
  std::chrono::milliseconds grace{10'000};    ///< for runs that have begun, at a stop
};

/// The ranks of a campaign as rank 0 sees them: it hands out the runs, and hears of those
/// that are over. One rank alone is a team, too.
class CampaignTeam {
 public:
  /// @param ring  outlives the team
  /// @param say   what a person should know, one line; may be empty
  CampaignTeam(cluster::TaskRing& ring, const TeamTimes& times,
               std::function<void(const std::string&)> say = {});

  bool is_alone() const noexcept { return ring_.size() == 1; }
  const TeamTimes& times() const noexcept { return times_; }

  /// Asks all ranks whether they have the same campaign.
  void greet(const CampaignIdentity& identity);
  /// Each rank has said yes, or nothing for too long.
  bool is_assembled() const;
  /// Tells from which targets on a run is unstable, and gives out these runs.
  /// @param run_time  that one takes [s]
  void begin(const std::vector<double>& target_limits,
             const std::vector<std::int64_t>& runs, double run_time);

  /// The next runs for this process.
  std::vector<std::int64_t> next_here(std::size_t most);
  void done_here(const FinishedRun& run);
  /// Hears all that has come, answers, and says that rank 0 is alive.
  /// @returns runs that are over; one may come several times
  /// @throws std::runtime_error where a rank has another campaign; RunFailure
  std::vector<FinishedRun> listen();

  bool all_done() const noexcept { return hand_out_.all_done(); }
  bool stop_asked() const noexcept { return stop_asked_; }
  /// Ends all other ranks. The first call counts.
  /// @param grace  for runs that have begun
  void stop(std::chrono::milliseconds grace);
  /// No other rank has anything more to say.
  bool all_gone() const;
  /// Stops the ranks, waits for them, and ends the ring in order where none is missing.
  /// @returns false where one is: then the process must end by _exit, as MPI waits for it
  bool dismiss();

 private:
  struct Other {
    bool ready = false;
    bool gone = false;
    bool given_up = false;
    std::size_t asks = 0;  ///< threads that wait for a task; 0: it does not ask
    ResultReader results;
  };

  void hear(const cluster::RingMessage& message, std::vector<FinishedRun>& over);
  void hand_out();
  void send_to_all(const std::string& message);
  std::size_t task_size(std::size_t jobs) const;

  cluster::TaskRing& ring_;
  TeamTimes times_;
  std::function<void(const std::string&)> say_;
  std::vector<Other> others_;  // by rank; that of rank 0 is not used
  cluster::HandOut hand_out_;
  cluster::HandOut::Time signed_;  // when rank 0 last said that it is alive
  cluster::HandOut::Time looked_;  // for messages
  double wall_ = 0.0;              // of all runs that are over [s]
  double count_ = 0.0;
  bool stop_asked_ = false;
  bool stopped_ = false;
};

}  // namespace trestle::campaign
