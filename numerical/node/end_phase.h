#pragma once

#include <string>
#include <vector>

#include "core/session/event_tally.h"
#include "numerical/node/phase_handler.h"
#include "numerical/node/run_end.h"
#include "numerical/node/run_hold.h"

namespace trestle::integrator_node {

/// Brings a test, or this process, to its end: kHalting, kLeaving, kStopping and kEnded.
class EndPhase final : public PhaseHandler {
 public:
  /// @param malformed  events whose sum may still be recorded
  EndPhase(const RunParts& run, RunHold& hold, session::EventTally& malformed)
      : PhaseHandler(run), hold_(hold), malformed_(malformed) {}

  PhaseChange enter(const PhaseChange& change) override;
  PhaseChange advance() override;
  PhaseChange expired() override;
  Awaited awaited(std::size_t site) const noexcept override;
  TimePoint due() const noexcept override;
  bool resend(std::size_t site) override;
  PhaseChange refused(std::size_t site, RunCause cause) override;
  PhaseChange heard(std::size_t site, const Heartbeat& beat) override;
  PhaseChange stopped(std::size_t site, const Stopped& message) override;

  const RunEnd& end() const noexcept { return end_; }
  /// Returns the file whose end the disk has not taken yet; empty: none.
  std::string waits_for_disk() const;
  TimePoint waits_for_disk_since() const noexcept { return closing_since_; }

 private:
  void halt(const RunCause& cause);
  void leave(const PhaseChange& change);
  void conclude(const RunCause& cause);
  void stop_sites();
  void enter_end(const PhaseChange& change);
  void withdraw(const RunCause& cause);
  void finish();
  void note_silent_sites();
  std::string take_sites_behind_disks(std::vector<SiteWait>& missing) const;
  void note_held_rigs();
  void note_sites_started_again();
  void leave_unfinished(evaluation::RunResult result);
  void leave_record();
  void close_record();
  PhaseChange conclude_record();
  Stop stop_message(const SitePeer& to) const;

  RunHold& hold_;
  session::EventTally& malformed_;
  RunEnd end_;
  bool closing_ = false;       ///< the record: the sites have nothing more to say
  TimePoint closing_since_{};  ///< this
  bool record_whole_ = true;   ///< no row of it was lost at the end
};

}  // namespace trestle::integrator_node
