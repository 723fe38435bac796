#pragma once

#include <optional>
#include <set>
#include <string>

#include "numerical/node/arming_list.h"
#include "numerical/node/phase_handler.h"
#include "numerical/node/site_admission.h"

namespace trestle::integrator_node {

/// Brings the sites from hello to armed, and to their initial measurements: kConnecting and
/// kInitialMeasurement. Arms real equipment only by an operator's command.
class StartupPhase final : public PhaseHandler {
 public:
  StartupPhase(const RunParts& run, SiteAdmission& admission)
      : PhaseHandler(run), admission_(admission), arming_(run.settings.arming) {}

  PhaseChange enter(const PhaseChange& change) override;
  PhaseChange advance() override;
  PhaseChange expired() override;
  Awaited awaited(std::size_t site) const noexcept override;
  bool resend(std::size_t site) override;
  PhaseChange hello(std::size_t site, const Hello& hello) override;
  PhaseChange configured(std::size_t site, const Configured& message) override;
  PhaseChange armed(std::size_t site, const Armed& message) override;
  PhaseChange refused(std::size_t site, RunCause cause) override;
  PhaseChange busy_elsewhere(std::size_t site, const Busy& busy) override;
  PhaseChange heard(std::size_t site, const Heartbeat& beat) override;
  PhaseChange answered(std::size_t site, const StepResponse& response) override;

  bool waits_for_operator() const noexcept { return asked_operator_at_.has_value(); }
  TimePoint asked_operator_at() const noexcept { return *asked_operator_at_; }
  /// Executes the operator's arm command. @pre waits_for_operator()
  /// @returns the reason why not; empty: it counts, and arms if enough persons armed
  std::string arm(const std::string& by);
  /// Confirms an item of the checklist. @pre waits_for_operator()
  std::string confirm(const std::string& by, const std::string& item,
                      const std::string& at) {
    return arming_.confirm(by, item, at);
  }
  /// Lets an item be left undone. Preconditions as of confirm().
  std::string waive(const std::string& by, const std::string& item,
                    const std::string& reason, const std::string& at) {
    return arming_.waive(by, item, reason, at);
  }
  const ArmingStatus& arming() const noexcept { return arming_.status(); }

 private:
  PhaseChange begin_when_agreed();
  void begin_arming();
  void arm_again();
  void audit_arming();
  void audit_readings(const SitePeer& peer);
  void audit_words(const SitePeer& peer, const std::string& otherwise);
  void request_initial_measurements();
  PhaseChange begin_site(std::size_t site, const Hello& hello, bool stranger, bool first);
  std::string refusal_to_resume(SitePeer& peer, bool stranger, const Hello& hello);
  bool awaits_operator(const SitePeer& peer) const noexcept;
  Arm arm_message(const SitePeer& peer) const;

  SiteAdmission& admission_;
  std::optional<TimePoint> asked_operator_at_;  // for the word to arm
  std::string armed_by_;                        // "ada@lab", "ada@lab and bob@lab"
  ArmingList arming_;
  bool asked_for_reads_ = false;  // Start went out
  std::set<std::string> anew_;    // real equipment that waits to be armed again
};

}  // namespace trestle::integrator_node
