#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "core/evaluation/run_report.h"
#include "core/types/record.h"

namespace trestle::composition {
struct HybridTestSetup;
}  // namespace trestle::composition

namespace trestle {}  // namespace trestle

namespace trestle::testing {

/// A whole test as the program would run it with all sites in its process, its record kept
/// in memory.
struct LabRun {
  evaluation::RunReport report;
  Channels channels;        ///< of the integrator's results
  Eigen::MatrixXd results;  ///< one row per channel, one column per step from 0

  /// Channels whose name contains `part`, in order.
  Eigen::MatrixXd rows(const std::string& part) const;
  /// The one channel of this name.
  Eigen::VectorXd row(const std::string& name) const;
};

/// The test built, with recorders at its sites that keep nothing.
/// @returns null, and a test failure, where it cannot be built
std::unique_ptr<composition::HybridTestSetup> set_up_lab(
    const std::string& yaml, const std::vector<std::string>& overrides);

/// @param yaml       text of TEST.yaml
/// @param overrides  as `--set` takes them
/// @returns the run; where the test cannot be built, a test failure and an empty run
LabRun run_lab(const std::string& yaml, const std::vector<std::string>& overrides = {});

/// What is wrong with a test, `test.yaml:line:col: what`, one line per problem; empty where
/// it stands. Nothing is run.
std::vector<std::string> complaints(const std::string& yaml,
                                    const std::vector<std::string>& overrides = {});

/// Largest difference over all entries, relative to the largest entry of `other`.
double difference(const Eigen::MatrixXd& one, const Eigen::MatrixXd& other);

}  // namespace trestle::testing
