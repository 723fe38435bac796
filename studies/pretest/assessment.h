#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "studies/pretest/closed_loop.h"
#include "studies/pretest/stability_report.h"

namespace trestle::pretest {

/// The closed loop of a test, every specimen at its initial stiffness.
struct TestClosedLoop {
  ClosedLoop loop{};
  std::string unknown{};                    ///< why there is none; then nothing else holds
  std::string approximate{};                ///< approximations; empty: none
  std::vector<std::string> compensators{};  ///< kinds, one per site
  /// The numerical part without compensation, where that is its business.
  std::optional<LinearSubstructureModel> bare{};
  /// Parts of the initial stiffness at which it shall be looked at too, one list per site.
  std::vector<std::vector<double>> secants{};
};

enum class MarginScope : std::uint8_t {
  kNone,     ///< stable or not alone
  kOverall,  ///< and how much later all actuators together may be
  kAll,      ///< and each alone
};

/// @returns not known where the loop has more than kMostLoopStates states
StabilityReport assess(const TestClosedLoop& test, MarginScope margins);

/// Above them eigenvalues take too long for a look before a test.
constexpr int kMostLoopStates = 400;

/// Largest spectral radius that counts as stable. An undamped loop has the radius one, and
/// the eigenvalues of a loop of a few hundred states are accurate to some 1e-12.
constexpr double kStableRadius = 1.0 + 1e-10;

}  // namespace trestle::pretest
