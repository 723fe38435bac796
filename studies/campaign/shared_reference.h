#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "composition/processes/hybrid_test_setup.h"
#include "studies/campaign/reference_rows.h"

namespace trestle::campaign {

/// The reference of many runs of one test, computed once. The first completed run keeps its
/// rows, and each later run with the same reference reads them. A run whose draw changes
/// the reference computes its own. Any thread.
class SharedReference {
 public:
  /// Before the test is run. The shared reference outlives the run.
  void serve(composition::HybridTestSetup& setup);

 private:
  void keep(const std::string& of, std::shared_ptr<const ReferenceRows> rows);

  std::mutex mutex_;  // of what follows
  std::string of_;    // all that the rows depend on, as it was configured
  std::shared_ptr<const ReferenceRows> rows_;
};

}  // namespace trestle::campaign
