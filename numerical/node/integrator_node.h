#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/evaluation/run_report.h"
#include "core/ports/clock.h"
#include "core/ports/node.h"
#include "core/ports/numerical_substructure.h"
#include "core/ports/operator_interface.h"
#include "core/ports/recording.h"
#include "core/ports/transport.h"
#include "core/session/event_tally.h"
#include "numerical/node/integrator_settings.h"
#include "numerical/node/phases.h"
#include "numerical/node/recovery.h"
#include "numerical/node/run_recorder.h"
#include "numerical/node/run_times.h"
#include "numerical/node/site_messages.h"
#include "numerical/node/site_peers.h"
#include "numerical/node/step_exchange.h"

namespace trestle::integrator_node {

/// Runs a test: brings the sites from hello to armed, advances the numerical substructure
/// step by step with their responses, and brings all rigs to rest at the end or at a fault.
/// Makes the parts that do this, and passes messages and time to them.
///
/// Every wait has a deadline, and the report names the awaited sites. Each heartbeat
/// repeats an unanswered message; the site executes it once.
///
/// With L = `latency_steps` step k is closed with the answers to step k − L, and before
/// there are any with those of the initial measurement when session time is (k + 1)·Δt.
class IntegratorNode final : public Node, public OperatorInterface {
 public:
  /// @param transport  peers are the sites, in the order of the settings
  /// @param clock      the one that tick() is handed, for stamps
  IntegratorNode(const IntegratorSettings& settings, NumericalSubstructure& substructure,
                 Transport& transport, const Recording& recording, const Clock& clock);

  TimePoint tick(TimePoint now) override;
  bool finished() const noexcept override { return phase_ == Phase::kEnded; }

  /// An operator wants the end: everything ramps to its safe position.
  void stop(const std::string& reason);

  NodeStatus status() const override {
    return phases_.status.status(phases_.coordinator.handler());
  }
  std::string arm(const std::string& by) override;
  std::string confirm(const std::string& by, const std::string& item,
                      const std::string& at) override;
  std::string waive(const std::string& by, const std::string& item,
                    const std::string& reason, const std::string& at) override;
  std::string hold(const std::string& by, const std::string& reason) override;
  std::string resume(const std::string& by) override;
  std::string stop(const std::string& by, const std::string& reason) override;
  std::string clear(const std::string& by) override;
  std::string note(const std::string& by, const Note& note) override;
  bool command_under_way() const noexcept override { return phases_.resumed.under_way(); }
  std::optional<std::string> take_outcome() override { return phases_.resumed.take(); }
  /// A person's last message to all; number 0: none.
  const Announcement& said() const noexcept { return phases_.heartbeats.said(); }

  /// This process leaves the test: all rigs hold, and the record stays unfinished, so that
  /// the test can be resumed. At most a second later finished() is true.
  /// @param by    user@host; @param from source of the command: "terminal", "signal"
  /// @returns empty if it leaves, else one sentence: why not
  std::string leave(const std::string& by, const std::string& from,
                    const std::string& reason);
  /// Like hold() of an operator, for a command from another source.
  std::string hold(const std::string& by, const std::string& from,
                   const std::string& reason);
  /// Like stop() of an operator, for a command from another source.
  std::string stop(const std::string& by, const std::string& from,
                   const std::string& reason);

  /// A rig may have moved for this test: there is something to be resumed.
  bool begun() const noexcept { return run_.begun(); }
  /// The test is on its way to its end, or out of it.
  bool ends() const noexcept { return trestle::integrator_node::ends(phase_); }
  /// Returns true if all rigs hold or are requested to; the test continues by an operator's
  /// command.
  bool holds() const noexcept {
    return phase_ == Phase::kHolding || phase_ == Phase::kHeld;
  }
  /// A site with a rig that could break.
  bool real_equipment() const noexcept { return peers_.real_equipment(); }

  std::int64_t steps_done() const noexcept { return exchange_.done(); }
  /// Only a person can let the test continue, without a limit of time.
  bool waits_for_operator() const noexcept { return phases_.status.waits_for_operator(); }
  /// The sites that the test waits for: "answer of site east (tcp://lab-east:7001)", or
  /// empty.
  std::string waiting_for() const;
  /// How each actuator follows now, on a sliding estimate; empty before steps.
  std::vector<evaluation::SiteReport> tracking_now() const;
  evaluation::RunReport report() const { return phases_.status.report(); }

 private:
  bool receive();

  IntegratorSettings settings_;
  Transport& transport_;
  const Clock& clock_;
  ReceivedMessage incoming_;
  Phase phase_ = Phase::kConnecting;
  RunTimes times_;
  session::EventTally malformed_{"malformed"};
  SitePeers peers_;
  RunRecorder record_;
  StepExchange exchange_;
  Recovery recovery_;
  RunParts run_;
  Phases phases_;
  SiteMessages messages_;
  bool started_ = false;
};

}  // namespace trestle::integrator_node
