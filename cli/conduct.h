#pragma once

#include <string>

#include "composition/processes/hybrid_test_setup.h"
#include "gateway/operator/operator_server.h"

namespace trestle {

struct ConductOptions {
  std::string folder;       ///< of the run; nobody else serves it
  std::string as;           ///< name that the person gave; may be empty
  bool json = false;        ///< print the summary as JSON, and nothing else
  bool unattended = false;  ///< nobody gave the word to go on: real equipment waits for it
};

/// Runs a test that is set up, or goes on with it where its settings say so, and tells of
/// it: progress, summary, `summary.json` in the folder.
/// @param operators  of the folder
/// @returns the exit code
int run_and_report(HybridTestSetup& setup, OperatorServer& operators,
                   const ConductOptions& options);

}  // namespace trestle
