#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/time.h"
#include "core/evaluation/run_report.h"
#include "core/ports/numerical_substructure.h"
#include "core/types/fault.h"
#include "numerical/node/awaited.h"
#include "numerical/node/integrator_settings.h"
#include "numerical/node/step_exchange.h"

namespace trestle::integrator_node {

// Why a test holds or ends: names and numbers, which run_text.h formats as sentences.
// `site` is an index in the test. Texts of a site, a person, the record or a target source
// are kept as text.

/// All steps are done, or the target source has declared the test complete.
struct TestComplete {};
/// A sentence that was made elsewhere.
struct AsSaid {
  std::string text = {};
};
struct HeldByOperator {
  std::string by = {};
  std::string reason = {};
};
struct StoppedByOperator {
  std::string by = {};
  std::string reason = {};
};
struct IntegratorRestarted {};
struct SiteHalted {
  std::size_t site = 0;
  Fault fault = {};
  std::string reason = {};  ///< as the site says it
};
struct SiteRefused {
  std::size_t site = 0;
  Fault fault = {};
  std::string reason = {};
};
/// It was restarted without its session.
struct SiteRestarted {
  std::size_t site = 0;
  std::int64_t step = 0;
};
/// It is back, with its session.
struct SiteWasAway {
  std::size_t site = 0;
  std::int64_t last_step = 0;
};
struct SiteWait {
  std::size_t site = 0;
  Awaited what = Awaited::kNothing;
};
struct WaitOverdue {
  std::vector<SiteWait> waits = {};
  std::optional<std::int64_t> step = {};  ///< step with missing responses
  Duration within{};
  std::string clocks = {};  ///< known bounds
};
struct HoldOverdue {
  std::string reason = {};  ///< of the hold
  Duration held{};
  std::vector<SiteWait> waits = {};
  std::string clocks = {};
};
/// All steps are done, and rigs of real equipment hold.
struct RigsHeldAtEnd {
  struct Rig {
    std::size_t site = 0;
    std::optional<Duration> silent = {};  ///< nothing was heard of it for so long
  };
  std::vector<Rig> rigs = {};
};
struct BadAnswer {
  std::size_t site = 0;
  AnswerVerdict verdict{};
  std::int64_t step = 0;
  std::size_t given = 0;   ///< values that came, and
  std::size_t agreed = 0;  ///< values that were agreed
};
struct AnswersMissed {
  std::size_t site = 0;
  MissPolicy::Verdict verdict{};
  std::int64_t step = 0;
  int in_a_row = 0;
  int in_window = 0;
  int max_consecutive = 0;
  int max_in_window = 0;
  bool passed = false;  ///< on_miss: stop, and the site never executes this step
};
/// A computed response is not finite, or its residual excessive. @see kInitialStep: before
/// the first step
struct ResponseDiverged {
  std::int64_t step = 0;
  ExcessiveResidual excess = {};
};
struct RowLost {
  std::int64_t step = 0;
};
struct RecordNotKept {
  std::string error = {};
};
/// The disk has not taken the targets of a step, which are therefore not sent.
struct TargetsNotRecorded {
  std::int64_t step = 0;
  Duration within{};
};
/// The replay computes another target than the record.
struct OtherTarget {
  std::int64_t step = 0;
};
/// The record has later steps, and not what was used of this one.
struct AnswersNotRecorded {
  std::int64_t step = 0;
};
/// The record cannot repeat the steps that sites have lost.
struct StepsLost {
  std::string who = {};
  std::string mode = {};  ///< in which no step is; empty: the record has not all of it
};
/// A site does not repeat its answer.
struct OtherAnswer {
  std::size_t site = 0;
  std::int64_t step = 0;
};
struct SourceSilent {
  std::string source = {};
};

/// Why a test holds or ends, and what follows from it for the sites.
struct RunCause {
  using Why =
      std::variant<TestComplete, AsSaid, HeldByOperator, StoppedByOperator,
                   IntegratorRestarted, SiteHalted, SiteRefused, SiteRestarted, SiteWasAway,
                   WaitOverdue, HoldOverdue, RigsHeldAtEnd, BadAnswer, AnswersMissed,
                   ResponseDiverged, RowLost, RecordNotKept, TargetsNotRecorded,
                   OtherTarget, AnswersNotRecorded, StepsLost, OtherAnswer, SourceSilent>;
  Why why = {};
  evaluation::RunResult result = evaluation::RunResult::kStopped;
  std::string met_by = "integrator";            ///< the node that met the fault
  Fault fault = {.kind = FaultKind::kStopped};  ///< as Halt says it
  FaultKind limit = FaultKind::kNone;           ///< that a site refused for
  std::string by = {};            ///< the person whose word it is; empty: none's
  bool operator_decides = false;  ///< a hold ends by a person's word only
  bool leaving = false;           ///< this process ends, the test does not
  bool over = false;              ///< a site, or a person there, ended the test
};

}  // namespace trestle::integrator_node
