#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/types/rig_report.h"
#include "core/types/rig_request.h"
#include "site-servers/node/rig_command.h"
#include "site-servers/node/rig_preparation.h"
#include "site-servers/node/rig_readiness.h"
#include "site-servers/node/rig_service_loop.h"
#include "site-servers/node/rig_tare_command.h"
#include "site-servers/node/site_parts.h"

namespace trestle::site_node {

/// Executes people's commands to the rig between two tests: readings, zero readings, tare,
/// jog, return home, exercise, release. Acts only while no session exists; while it acts,
/// the site refuses a test. A motion has the laboratory's limits, safety gate, safe action
/// and watch over the rig's functions, and a fault is latched as in a test. Only an
/// operator's command begins one, never a message of the bus; the person is in the diary
/// before the rig moves.
///
/// On the node's thread. The rig is prepared on a separate thread if it is real equipment,
/// and is read and driven by the executor of the site's control loops.
class RigService {
 public:
  /// The parts that must not act meanwhile. All outlive this.
  RigService(const SiteParts& site, const RigReadiness& readiness, const Clock& clock)
      : site_(site), readiness_(readiness), clock_(clock) {}

  /// Executes a command, or begins to.
  /// @returns one sentence: why not; empty: it is executed, or the outcome follows
  std::string command(const std::string& by, const RigRequest& request);
  /// A command acts; no test may begin.
  bool under_way() const noexcept { return phase_ != Phase::kIdle; }
  /// "jog of actuator 1 by 2 mm at 1 mm/s, for ada@lab". @pre under_way()
  std::string doing() const { return words_ + ", for " + report_.by; }
  /// The safe action of a fault moves the rig.
  bool acts_safely() const noexcept { return loop_ != nullptr && loop_->acts_safely(); }
  /// Ends what is under way in a hold. @param why  "stopped by bob@lab: a noise"
  /// @returns why not: the safe action of a fault ends by itself
  std::string hold(const std::string& why);

  /// The outcome of the last command follows later.
  bool outcome_follows() const noexcept { return awaited_; }
  /// Nobody waits for it any longer.
  void forget_outcome() noexcept { awaited_ = false; }
  /// As of OperatorInterface.
  std::optional<std::string> take_outcome();
  RigReport report() const;

  /// In each tick of the node.
  void poll();
  /// When to do so again; max: nothing is under way.
  TimePoint due() const noexcept;
  /// The acts since the last test go into the record of the one that begins, which has
  /// taken the rig up.
  void hand_over();
  /// Before the node ends: ends the ticks. A loop that hangs is kept until the process
  /// ends.
  void end() noexcept;

 private:
  enum class Phase : std::uint8_t { kIdle, kPrepares, kActs };

  std::string begin(const std::string& by, const RigRequest& request);
  std::string why_not_now() const;
  std::string why_not_moved(const CommandedRig& rig) const;
  std::string why_not_this(const RigRequest& request) const;
  std::string repeat(const std::string& by, const RigRequest& request);
  CommandedRig rig() const;
  void prepare();
  void prepared(const std::string& problem, const std::optional<RigFound>& found);
  std::string run(const std::optional<RigFound>& found);
  void start(std::unique_ptr<RigServiceLoop> loop);
  void look_at_fault();
  void finish_loop();
  void keep_tare();
  std::string outcome_of(RigTaskEnd end);
  void finish(bool done, const std::string& outcome);
  LoopExecutor& executor() noexcept;

  SiteParts site_;
  const RigReadiness& readiness_;
  const Clock& clock_;
  InlineExecutor own_;
  Phase phase_ = Phase::kIdle;
  RigRequest::Action action_ = RigRequest::Action::kStatus;
  RigCommand motion_;    // of a jog, a return home or an exercise
  RigTareCommand tare_;  // of a tare, or of its undoing
  std::string words_;    // "jog of actuator 1 by 2 mm at 1 mm/s", "zero readings"
  std::unique_ptr<RigPreparation> preparation_;  // under way
  std::unique_ptr<RigServiceLoop> loop_;
  std::string hold_why_;  // of a person, or the end of the program
  bool fault_latched_ = false;
  bool awaited_ = false;
  std::optional<std::string> outcome_;
  RigReport report_;
  TimePoint next_tick_ = TimePoint::max();
  std::string token_;      // of the command; empty: it has none
  bool released_ = false;  // and not taken up since
};

}  // namespace trestle::site_node
