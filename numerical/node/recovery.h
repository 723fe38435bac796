#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ports/numerical_substructure.h"
#include "core/ports/record_store.h"
#include "core/ports/recorded_session.h"
#include "core/types/audit_entry.h"
#include "numerical/node/integrator_settings.h"
#include "numerical/node/record_replay.h"
#include "numerical/node/run_recorder.h"
#include "numerical/node/run_times.h"
#include "numerical/node/site_peers.h"
#include "numerical/node/step_exchange.h"
#include "numerical/node/step_repetition.h"

namespace trestle::integrator_node {

/// Restores from the integrator's own record: after a restart the whole run, and for sites
/// whose records lost steps, the targets of these steps. Not for the step path.
class Recovery {
 public:
  struct Parts {
    NumericalSubstructure& substructure;
    RecordStore& store;
    RunRecorder& record;
    SitePeers& peers;
    StepExchange& exchange;
    RunTimes& times;
  };
  enum class Verdict : std::uint8_t {
    kBusy,         ///< call it again
    kDone,         ///< there is no more
    kOtherTarget,  ///< the replay asks for another target than the record
    kLost,         ///< the record has not all that is needed
  };

  /// @param settings, parts  outlive this
  Recovery(const IntegratorSettings& settings, const Parts& parts);

  /// The test is to continue from its record, and has not yet.
  bool from_record() const noexcept { return past_ != nullptr; }
  /// A person's command to end the test that the process before did not live to follow.
  const std::optional<AuditEntry>& stop() const noexcept { return stop_; }
  /// A person's hold at a site that no resume follows.
  const std::optional<AuditEntry>& site_hold() const noexcept { return site_hold_; }
  /// The step that is open, or will be when the record was gone through.
  std::int64_t open_step() const noexcept;

  // After a restart.
  /// Reads the record, reopens it, and prepares the replay of its first step.
  /// @returns empty, or one sentence: why not
  std::string resume_record();
  /// As resume_record(), of a test that was brought to its end: nothing is opened.
  std::string retell();
  /// Some steps of it. @returns kBusy, kDone, kOtherTarget or kLost
  Verdict replay_some();
  /// The last step, also if the record is not of this test or has not all of it.
  std::int64_t replayed() const noexcept { return replayed_; }
  /// The answers that were under way when the test ended. @returns all steps were done
  bool finish_retelling();
  /// The record is gone through: the test runs.
  void leave_record() noexcept { past_.reset(); }
  /// Restarts the accounts of steps that were open when the integrator was killed: the
  /// earlier part of their times is unknown.
  void restore_delay_ledger() noexcept;
  /// Its last step was done: a site may have brought the session to its end.
  /// @returns the actuators of that site as the record has them; empty: it was not
  std::string actuators_where_complete(const std::string& site) const;

  // For sites that came back, while all hold.
  /// One executed less than it has answered.
  bool has_lagging_sites() const noexcept;
  /// Names them; empty: nobody.
  std::string who_is_behind() const;
  /// @returns kDone: there is nothing to go through, kBusy: search_some(), or kLost
  Verdict search();
  /// @returns kBusy, kDone or kLost; only while it is busy it searches()
  Verdict search_some();
  bool searches() const noexcept { return search_ != nullptr; }
  void end_search() noexcept { search_.reset(); }
  /// Returns the steps that the sites execute again.
  StepRepetition& repetition() noexcept { return repetition_; }
  const StepRepetition& repetition() const noexcept { return repetition_; }

 private:
  void replay_opening();
  bool is_behind(std::size_t site) const noexcept;
  std::int64_t answered_by(std::size_t site) const noexcept;
  Verdict replay_step(std::int64_t step);
  void replay_answers(std::int64_t step);
  std::int64_t keep_incomplete_rows(std::int64_t last, std::int64_t used);
  bool recorded_result(std::int64_t step);
  void repeat_for_those_behind(std::int64_t step);
  void repeat(std::size_t site, std::int64_t step, const SiteTarget& request,
              const SiteResponse& answer);

  const IntegratorSettings& settings_;
  Parts parts_;
  std::unique_ptr<RecordedSession> past_;
  std::optional<AuditEntry> stop_;
  std::optional<AuditEntry> site_hold_;
  std::int64_t replayed_ = kInitialStep;
  std::vector<double> row_;
  /// Rows of `result` from the first that lacks an answer on: the record drops them.
  std::map<std::int64_t, std::vector<double>> incomplete_;
  std::vector<SiteResponse> answers_;
  std::unique_ptr<RecordReplay> search_;  // while lost steps are gone through
  StepRepetition repetition_;
};

}  // namespace trestle::integrator_node
