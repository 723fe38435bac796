#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "numerical/node/early_holds.h"
#include "numerical/node/run_cause.h"
#include "numerical/node/run_parts.h"

namespace trestle::integrator_node {

/// The hold of a test: why and since when, which sites were requested to hold, and who lets
/// the test continue. The only part that sends Halt.
class RunHold {
 public:
  explicit RunHold(const RunParts& run) : run_(run), early_(run) {}

  /// Every site that is there holds, and the test continues later.
  /// @param why  the sentence of the cause. @param from  the phase before
  void hold(const RunCause& cause, const std::string& why, Phase from);
  /// Requests every site to hold; the sites ramp only after all hold.
  void halt(const RunCause& cause, const std::string& why);
  /// Sites that run already hold again.
  void withdraw(const std::string& why);
  /// Said again to a site that has not answered.
  void resend(SitePeer& peer);
  /// All sites run again.
  void release();
  const Halt& order() const noexcept { return halt_; }

  Awaited awaited(const SitePeer& peer) const noexcept;
  /// A heartbeat may say that the site holds.
  void heard(SitePeer& peer, const Heartbeat& beat) noexcept;

  /// A site that refused to resume, as it was in FAULT, has left FAULT: its refusal is no
  /// longer why the test holds.
  void forget_refusal_of(std::size_t site);

  /// Holds by persons before the record is replayed.
  EarlyHolds& early() noexcept { return early_; }
  /// The test has held since before the integrator restarted.
  void begin_from_record();
  /// This process cannot continue it, and another one may.
  void rule_out_return(const std::string& why);
  /// Requires an operator's command before the test continues.
  void require_operator(bool required) noexcept {
    operator_decides_ = operator_decides_ || required;
  }
  /// Records a person's command to continue: sites that are away have their time again.
  void resume_by(const std::string& by);
  /// It was to continue, and cannot.
  void return_to_operator();

  TimePoint since() const noexcept { return since_; }
  /// Returns from when on sites may be away for deadlines.hold: the beginning of the hold,
  /// or a person's last command to continue.
  TimePoint waits_since() const noexcept { return waits_since_; }
  /// Returns true if the test, of simulated rigs only, still holds for a site that is
  /// silent while it resumes.
  bool waits_for_absent_sites() const noexcept;
  /// A record that a site did not have was brought back: its absence is no longer why the
  /// test holds.
  void record_is_back(SitePeer& peer);
  const std::string& reason() const noexcept { return reason_; }  ///< empty: none
  const std::string& no_return() const noexcept { return no_return_; }
  const std::string& resumed_by() const noexcept { return resumed_by_; }
  bool operator_decides() const noexcept { return operator_decides_; }
  /// How often the test went on after a hold.
  std::int64_t releases() const noexcept { return releases_; }
  /// Returns true if an operator's command is required and missing.
  bool needs_operator() const noexcept { return operator_decides_ && resumed_by_.empty(); }
  /// Puts the fault that made the test hold before `reason`: it is why the test ends.
  std::string with_first_reason(const std::string& reason) const;
  /// The hold has lasted too long.
  RunCause overdue(std::vector<SiteWait> waits, std::string clocks) const;

 private:
  void expect_holds() noexcept;
  void note_refusal(const RunCause& cause);

  RunParts run_;
  EarlyHolds early_;
  Halt halt_;
  TimePoint since_{};
  TimePoint waits_since_{};
  std::string reason_;                           // the last one
  std::string first_reason_;                     // of this hold
  std::optional<std::size_t> refused_in_fault_;  // the site whose refusal reason_ is
  std::string reason_before_refusal_;
  std::string no_return_;  // empty: it can continue
  std::int64_t releases_ = 0;
  bool operator_decides_ = false;
  std::string resumed_by_;
};

}  // namespace trestle::integrator_node
