#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/evaluation/computation_quality.h"
#include "core/evaluation/criteria.h"
#include "core/evaluation/peaks.h"
#include "core/types/message.h"

namespace trestle::evaluation {

/// How a run ended.
enum class RunResult {
  kNotFinished,
  kComplete,
  kStopped,   ///< safely, before the end: a fault, an operator, a full disk
  kSiteLost,  ///< a site did not come, or went
  kRejected,  ///< a site would not follow the configuration
  kHeld,      ///< a person or a signal ended the process, not the test
};
/// Returns "complete", "stopped", "peer lost", "refused", "held" or "unfinished".
std::string result_name(RunResult result);

/// How well one actuator followed its targets.
struct ActuatorTracking {
  std::string actuator;
  double delay = 0.0;       ///< [s]
  double amplitude = 1.0;   ///< measured / target
  double nrmse = 0.0;       ///< rms(measured − target) / rms(target)
  double peak_error = 0.0;  ///< max|measured − target| / max|target|
  /// The compensator's final estimate of the transfer system, by its coefficients.
  bool estimated = false;
  double compensator_delay = 0.0;      ///< [s]
  double compensator_amplitude = 1.0;  ///< measured / commanded
  bool judged = true;                  ///< enough was seen for delay and amplitude
};

/// One account of the delay ledger over all steps [s].
struct DelayComponentReport {
  std::string account;
  double p50 = 0.0;
  double p99 = 0.0;
  double p999 = 0.0;
  double max = 0.0;
};

/// How a site left its rig, as the integrator knows it.
enum class SiteEnd {
  kUnknown,       ///< not asked: the site never agreed, or the report is made from a record
  kAtRest,        ///< it said that it has stopped, or that its rig holds
  kFault,         ///< it is in FAULT
  kSilent,        ///< it did not say that it has stopped
  kStartedAgain,  ///< its server was started again before it said so
};

struct SiteReport {
  std::string name;
  SiteEnd end = SiteEnd::kUnknown;
  std::int64_t steps = 0;  ///< answered
  std::vector<ActuatorTracking> tracking;
  std::vector<std::string> tightened_limits;  ///< limits where the site's own held
  std::vector<DelayComponentReport> ledger;   ///< empty: no time was accounted for
  double clock_bound = 0.0;                   ///< largest of the run [s]
  double exchange_p50 = 0.0;                  ///< round trip less waiting and actuation [s]
  double exchange_p99 = 0.0;                  ///< [s]
  std::int64_t misses = 0;  ///< answers that were not in by their deadline
  std::int64_t late = 0;    ///< of them, came later
  /// Of its control loop. Not set: the site did not report it, as the run did not end
  /// there.
  std::optional<TimingStatistics> pace;
  double control_tick = 0.0;  ///< of the wall [s]
};

struct RunReport {
  RunResult result = RunResult::kNotFinished;
  std::string reason;      ///< one sentence; empty if complete
  bool resumable = false;  ///< the test is held and its record unfinished
  /// It was to go on from its record, and could not: the sites hold, their session and the
  /// record are as they were.
  bool withdrawn = false;
  bool over = false;  ///< and cannot be: a site, or a person there, has ended the test
  bool moved = true;  ///< a rig may have been, by its start checks or for step 0
  std::vector<std::string> warnings;  ///< one sentence each
  std::int64_t steps_planned = 0;
  std::int64_t steps_done = 0;
  std::vector<SiteReport> sites;
  std::vector<Peak> peaks;
  ComputationQuality quality;
  Criteria criteria;
  bool limit_met = false;  ///< a limit ended the run
  /// A step, from its beginning until its answers were used; 0 in lock-step on the virtual
  /// clock.
  double step_p50_s = 0.0;  ///< [s]
  double step_p99_s = 0.0;  ///< [s]
  double step_max_s = 0.0;  ///< [s]
};

}  // namespace trestle::evaluation
