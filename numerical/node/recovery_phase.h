#pragma once

#include "numerical/node/heartbeats.h"
#include "numerical/node/phase_handler.h"
#include "numerical/node/run_hold.h"
#include "numerical/node/site_admission.h"

namespace trestle::integrator_node {

/// Continues from records: kReplaying replays the integrator's own record after a restart,
/// kResynchronising repeats the steps that the records of sites have lost.
class RecoveryPhase final : public PhaseHandler {
 public:
  struct Parts {
    RunHold& hold;
    SiteAdmission& admission;
    Heartbeats& heartbeats;
  };

  RecoveryPhase(const RunParts& run, const Parts& parts)
      : PhaseHandler(run), parts_(parts) {}

  PhaseChange enter(const PhaseChange& change) override;
  PhaseChange advance() override;
  PhaseChange expired() override;
  Awaited awaited(std::size_t site) const noexcept override;
  bool resend(std::size_t site) override;
  bool busy() const noexcept override { return run().phase == Phase::kReplaying; }
  PhaseChange hello(std::size_t site, const Hello& hello) override;
  PhaseChange refused(std::size_t site, RunCause cause) override;
  PhaseChange answered(std::size_t site, const StepResponse& response) override;

 private:
  PhaseChange begin_replay();
  PhaseChange replay();
  void start_resynchronisation();

  Parts parts_;
};

}  // namespace trestle::integrator_node
