#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ports/clock.h"
#include "core/ports/transport.h"
#include "numerical/node/phase_handler.h"
#include "numerical/node/site_admission.h"

namespace trestle::integrator_node {

/// Executes the test step by step: kRunning. A step opens when its target is known, is sent
/// when the record keeps it as the mode requires, and closes with the responses or by time.
///
/// Nothing here allocates per step.
class RunningPhase final : public PhaseHandler {
 public:
  struct Parts {
    std::int64_t& steps;  ///< of the test: a target source says how many
    SiteAdmission& admission;
    Transport& transport;
    const Clock& clock;
  };

  RunningPhase(const RunParts& run, const Parts& parts)
      : PhaseHandler(run), parts_(parts) {}

  PhaseChange enter(const PhaseChange& change) override;
  PhaseChange advance() override;
  PhaseChange expired() override;
  Awaited awaited(std::size_t site) const noexcept override;
  bool resend(std::size_t site) override;
  TimePoint due() const noexcept override;
  PhaseChange hello(std::size_t site, const Hello& hello) override;
  PhaseChange refused(std::size_t site, RunCause cause) override;
  PhaseChange heard(std::size_t site, const Heartbeat& beat) override;
  PhaseChange answered(std::size_t site, const StepResponse& response) override;

  bool waits_for_target() const noexcept { return waits_for_target_; }
  std::int64_t next_step() const noexcept { return next_step_; }
  TimePoint waits_for_target_since() const noexcept { return waits_for_target_since_; }
  /// Since when the disk of the record has the targets of the open step; no value: they
  /// are safe.
  std::optional<TimePoint> waits_for_disk_since() const noexcept {
    return unsafe_ ? std::optional(unsafe_since_) : std::nullopt;
  }

 private:
  PhaseChange begin_run();
  PhaseChange continue_run();
  PhaseChange continue_from_record();
  PhaseChange begin_step_when_ready(std::int64_t step);
  PhaseChange begin_step(std::int64_t step);
  PhaseChange close_step();
  bool is_record_synced() noexcept;
  bool is_unsent() const noexcept;
  PhaseChange abort_on_record_error() const;
  PhaseChange stop_on_missed_responses(const StepExchange::TooManyMisses& missed) const;
  std::optional<RunCause> rigs_held_at_the_end() const;
  void extend_deadline_for_live_sites() noexcept;
  void record_notices();

  // A program elsewhere sets the targets.
  void wait_for_target(std::int64_t step) noexcept;
  PhaseChange poll_target_source();

  Parts parts_;
  bool waits_for_target_ = false;  // of next_step_; nothing is open meanwhile
  TimePoint waits_for_target_since_{};
  std::int64_t next_step_ = 0;
  std::optional<std::uint64_t> unsafe_;  // targets go out when this is secured
  TimePoint unsafe_since_{};
  std::vector<std::string> told_;  // notices of the model that are in the record
};

}  // namespace trestle::integrator_node
