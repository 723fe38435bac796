#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "numerical/integration/time_integrator.h"
#include "numerical/substructure/structural_substructure.h"

namespace trestle::bench {

/// The numerical part of a test with one site, at its first equation, which answers no
/// force, while the ground shakes.
class SteppedStructure {
 public:
  /// kImplicit: three iterations; kEachIteration: and as many commands to the site.
  enum class Scheme { kExplicit, kAverage, kImplicit, kEachIteration };

  /// @param time_step  [s]
  /// @param steps      of the test
  SteppedStructure(structure::StructuralModel structure, Scheme scheme, double time_step,
                   int steps);

  void step(int k) {
    for (int command = 1; command <= commands_; ++command) {
      const std::int64_t at = std::int64_t{k} * commands_ + command;
      product_->predict(at, requests_);
      product_->correct(at, answers_);
    }
  }
  /// To the state before the first step.
  void begin() {
    product_->prepare();
    product_->predict(0, requests_);
    product_->correct(0, answers_);
  }
  /// @returns acceleration of the ground at step k [m/s²]
  double ground(int k) const { return ground_[static_cast<std::size_t>(k)]; }

 private:
  int commands_ = 1;  // in one step
  std::vector<double> ground_;
  std::unique_ptr<substructure::StructuralSubstructure> product_;
  std::vector<SiteTarget> requests_;
  std::vector<SiteResponse> answers_;
};

}  // namespace trestle::bench
