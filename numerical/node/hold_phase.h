#pragma once

#include <string>
#include <vector>

#include "numerical/node/arming_list.h"
#include "numerical/node/phase_handler.h"
#include "numerical/node/run_hold.h"
#include "numerical/node/site_admission.h"

namespace trestle::integrator_node {

/// All sites hold, and the test continues later: kHolding, kHeld and kResuming. Ends when
/// every site is back and no operator's command is missing.
class HoldPhase final : public PhaseHandler {
 public:
  HoldPhase(const RunParts& run, RunHold& hold, SiteAdmission& admission)
      : PhaseHandler(run), hold_(hold), admission_(admission), people_(new_list()) {}

  PhaseChange enter(const PhaseChange& change) override;
  PhaseChange advance() override;
  PhaseChange expired() override;
  Awaited awaited(std::size_t site) const noexcept override;
  bool resend(std::size_t site) override;
  bool busy() const noexcept override { return run().recovery.searches(); }
  PhaseChange hello(std::size_t site, const Hello& hello) override;
  PhaseChange refused(std::size_t site, RunCause cause) override;
  PhaseChange heard(std::size_t site, const Heartbeat& beat) override;
  PhaseChange resumed(std::size_t site, const Resumed& message) override;

  /// Handles a person's command to continue. @returns the reason why it does not count;
  /// empty: it does, and the test continues once all give it that its arming requires
  std::string resume(const std::string& by);
  /// Confirms an item of the checklist. @pre needed() is not null
  std::string confirm(const std::string& by, const std::string& item,
                      const std::string& at) {
    return people_.confirm(by, item, at);
  }
  /// Lets an item be left undone. Preconditions as of confirm().
  std::string waive(const std::string& by, const std::string& item,
                    const std::string& reason, const std::string& at) {
    return people_.waive(by, item, reason, at);
  }
  /// The checklist and the persons that the test's arming requires before held real
  /// equipment continues; null: it requires none, or nothing waits for them.
  const ArmingStatus* needed() const noexcept;
  /// Those who gave the command to continue as the test's arming requires.
  const std::vector<std::string>& persons() const noexcept {
    return people_.status().armed_by;
  }

 private:
  void begin_hold(const PhaseChange& change);
  PhaseChange begin_from_record();
  void begin_resume();
  PhaseChange continue_held();
  PhaseChange recover_lost_steps(Recovery::Verdict verdict) const;
  bool can_resume() const noexcept;
  bool asks_people() const noexcept;
  ArmingList new_list() const;
  void send_resume(SitePeer& peer);
  void wait_while_held() noexcept;
  PhaseChange report_blocked(RunCause cause) const;

  RunHold& hold_;
  SiteAdmission& admission_;
  ArmingList people_;  // of this hold
};

}  // namespace trestle::integrator_node
