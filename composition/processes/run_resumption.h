#pragma once

#include <memory>
#include <string>

#include "composition/processes/hybrid_test_setup.h"
#include "core/evaluation/run_report.h"

namespace trestle::composition {

/// The possible continuation of a run whose process died.
struct RunResumption {
  enum class Action {
    kRefuse,     ///< nothing can be done: `refusal`
    kBegin,      ///< no step had begun: the test begins with a new session
    kResume,     ///< the test continues behind its last step
    kSummarise,  ///< the session ended, and its summary is missing
  };
  Action action = Action::kRefuse;
  std::string refusal = {};  ///< one sentence
  /// For kBegin: the folder with the record of the first attempt; empty: none.
  std::string set_aside = {};
  std::unique_ptr<HybridTestSetup> setup = {};  ///< null if it is refused
};

/// Looks at the record of a run and prepares what follows. Moves an unused record aside.
/// @param folder    of the run, with `effective.yaml`; no process serves it
/// @param software  version of this program
/// @throws ConfigError, std::runtime_error
RunResumption prepare_resumption(const std::string& folder, const std::string& software);

/// Ends the record of a run whose test a site has ended: no resume continues it. Writes the
/// row of each step that was answered, without what only a site could still say; removes
/// nothing. Where that fails the record stays as it was, unfinished. No node has it open.
/// @param session  of the record. @param why  one sentence for it
/// @returns how its summary is made: kSummarise
/// @throws ConfigError, std::runtime_error
RunResumption end_recorded_run(const std::string& folder, const std::string& software,
                               const SessionId& session, const std::string& why);

/// Makes the report of an ended run from its record; contacts no rig and no site.
/// @param setup  of prepare_resumption() for kSummarise
evaluation::RunReport report_from_record(HybridTestSetup& setup, const std::string& folder);

}  // namespace trestle::composition
