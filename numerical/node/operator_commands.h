#pragma once

#include <string>

#include "core/types/note.h"
#include "numerical/node/coordinator.h"
#include "numerical/node/end_phase.h"
#include "numerical/node/heartbeats.h"
#include "numerical/node/hold_phase.h"
#include "numerical/node/resume_outcome.h"
#include "numerical/node/run_hold.h"
#include "numerical/node/startup_phase.h"

namespace trestle::integrator_node {

/// Why a person's command is not followed.
enum class CommandRefusal : std::uint8_t {
  kNothingToArm,
  kNotRunning,   ///< there is nothing to hold
  kHeldAlready,  ///< the person has what he wants
  kNothingHeld,  ///< there is nothing to continue
  kStopping,     ///< the test is being stopped, and does not continue
  kLeaving,      ///< the process ends, and the test stays held
  kNoReturn,     ///< another process may continue
  kOver,         ///< the test ends already
  kNotTakenUp,   ///< the record of the test that was held is not open: none confirms an end
  kOnlyAtTheSite,  ///< a fault is cleared there
};

/// The operator's commands to a running integrator. Each is checked against the present
/// phase, recorded in the audit, and executed, or refused by one sentence. Each function
/// returns that sentence; empty: the command is executed.
class OperatorCommands {
 public:
  struct Parts {
    Coordinator& coordinator;
    RunHold& hold;
    StartupPhase& startup;
    HoldPhase& hold_phase;
    const EndPhase& end;
    Heartbeats& heartbeats;
    ResumeOutcome& resumed;
  };

  OperatorCommands(const RunParts& run, const Parts& parts) : run_(run), parts_(parts) {}

  // by: user@host; from: where the command came in, "terminal", "signal".
  std::string arm(const std::string& by);
  std::string confirm(const std::string& by, const std::string& item,
                      const std::string& at);
  std::string waive(const std::string& by, const std::string& item,
                    const std::string& reason, const std::string& at);
  std::string hold(const std::string& by, const std::string& from,
                   const std::string& reason);
  std::string resume(const std::string& by);
  std::string stop(const std::string& by, const std::string& from,
                   const std::string& reason);
  std::string leave(const std::string& by, const std::string& from,
                    const std::string& reason);
  std::string clear() const;
  std::string note(const std::string& by, Note note);

 private:
  std::string refuse(CommandRefusal refusal) const;
  std::string depart(const std::string& by, const std::string& from,
                     const std::string& reason, RunCause::Why why);

  RunParts run_;
  Parts parts_;
};

}  // namespace trestle::integrator_node
