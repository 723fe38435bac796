#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/snapshot.h"
#include "site-servers/node/site_heartbeats.h"
#include "site-servers/node/site_hold.h"
#include "site-servers/node/site_parts.h"
#include "site-servers/node/step_refusal.h"
#include "site-servers/node/unexecuted_steps.h"

namespace trestle::site_node {

/// Serves the steps of a session: check, intent on record, execution, result on record,
/// answer. Each step moves the rig at most once, and what was answered is on record; if the
/// mode wants it, safe from power loss.
class StepServer {
 public:
  struct Parts {
    SiteHeartbeats& heartbeats;
    SiteHold& hold;
    const Clock& clock;
  };

  StepServer(const SiteParts& site, const Parts& parts)
      : site_(site), parts_(parts), unexecuted_(site.record) {}

  // --- steps of the integrator ---

  /// @pre the step is of this session
  /// @returns whether it was executed in this call: its event is there
  bool serve(const StepCommand& command);
  /// Its event was followed.
  void finish_step() noexcept { site_.position.accepted = site_.position.executed; }
  /// Sends the last response; also again, for a repeated Start.
  void send_answer() { site_.peer.answer(response_); }

  // --- events of the loop ---

  /// The response of an event, before that is over.
  void take(const StepResponse& response) { response_ = response; }
  void answered(std::int64_t ticks, int state);
  void opened(int state);
  void refused(const Fault& fault, std::int64_t step);
  /// Of steps that were due without a target, or whose target came too late.
  UnexecutedSteps& unexecuted() noexcept { return unexecuted_; }

  /// Continues the steps whose rows have become durable.
  /// @returns whether a step still waits
  bool poll_record();
  /// Whether a step waits for the disk: it is not driven, or not answered, before.
  bool waits_for_disk() const noexcept { return waiting_order_ || waiting_answer_; }

  // --- the session ---

  /// A loop was made for it.
  void begin();
  /// In lock-step: the initial measurement, on this thread. @returns false: a fault
  bool open();
  /// No step follows: what still waits for the record is given up.
  void close();
  /// Takes the last step of an earlier process of the site from its record.
  void take_from_record(const InterruptedSession& past);
  /// The test continues. @param frozen  the step under way does, too; otherwise it is
  /// taken again
  void resume(bool frozen);
  /// In real time: the test continues with this step. Those before it that were not
  /// executed never are. It and those after it are executed, also where they were due
  /// already without a target, while the test did not go on.
  /// @pre the loop rests
  /// @returns false: a row was lost, which is a fault
  bool continue_at(std::int64_t next);
  /// The step that was executed last, or that is missed for good: none up to it is executed
  /// any more.
  std::int64_t settled() const noexcept { return settled_; }

 private:
  std::optional<StepRefusal> refusal_of(const StepCommand& command) const;
  std::optional<StepRefusal> refusal_of_vectors(const StepCommand& command) const;
  void refuse(const StepRefusal& refusal);
  bool accept(const StepCommand& command);
  bool is_too_far(const StepCommand& command, TimePoint due);
  bool execute(const StepCommand& command, const StepTimes& times);
  void answer();
  bool answer_from_record(std::int64_t step, bool& readable);
  void answer_missed(std::int64_t step);
  void forget_answer();
  void save_state(std::int64_t step);

  SiteParts site_;
  Parts parts_;
  StepResponse response_;        // to the last step
  bool waiting_order_ = false;   // the executor keeps a step until its intent is durable
  bool waiting_answer_ = false;  // until its result is
  bool lost_row_ = false;  // the record has not taken the last result: it is not answered
  std::uint64_t order_ticket_ = 0;
  std::uint64_t answer_ticket_ = 0;
  UnexecutedSteps unexecuted_;           // behind settled_
  std::int64_t settled_ = kInitialStep;  // executed last, or missed for good
  std::vector<double> state_;            // on its way to the record
  SnapshotWriter snapshot_;              // of the initial measurement
};

}  // namespace trestle::site_node
