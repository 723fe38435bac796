#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "composition/processes/hybrid_test_setup.h"
#include "core/ports/actuator_controller.h"
#include "core/ports/compensator.h"
#include "numerical/integration/constant_average_acceleration.h"
#include "numerical/substructure/structural_substructure.h"
#include "studies/campaign/reference_rows.h"
#include "studies/lanes/lane_problem.h"

namespace trestle::compensators {
class NarxCompensator;
}
namespace trestle::simulated {
struct SensorNoise;
}

namespace trestle::campaign {

/// A test that lanes do not compute; the text says which part of it, as a whole sentence
/// behind "because".
class NotBatchable final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A run as a lane computes it: its parts, found in the set-up of the nodes. Refers to the
/// set-up, which outlives it and has not been run.
class LaneForm {
 public:
  /// Prepares the rig, as the nodes do again.
  /// @throws NotBatchable
  explicit LaneForm(composition::HybridTestSetup& setup);

  /// Returns true if both runs differ in nothing but their parts, so that they can share a
  /// batch.
  bool fits(const LaneForm& other) const;

  /// Of the problem all but the tables, the number of steps and the parts.
  void describe(lanes::LaneProblem& problem) const;
  /// The loads of the excitation, step by step.
  std::vector<double> loads() const;
  /// The noise of the displacement transducers, read by read: one more than steps.
  std::vector<double> noise() const;

  const composition::HybridTestSetup& setup() const noexcept { return setup_; }
  std::int64_t steps() const noexcept { return setup_.integrator.steps; }
  const std::vector<double>& parts() const noexcept { return parts_; }
  int forces() const noexcept { return static_cast<int>(interface().equations.size()); }
  int recorded() const noexcept { return static_cast<int>(recorded_.size()); }
  /// Null: the test has no reference.
  const ReferenceRows* reference() const noexcept { return reference_.get(); }
  Compensator& compensator() const noexcept { return *compensator_; }
  ActuatorController& controller() const noexcept { return *controller_; }
  /// Of NARX: takes over what a lane learnt.
  void take_over(int actuator, std::span<const double> coefficients) const noexcept;
  bool forwards_targets() const noexcept { return forwards_targets_; }

 private:
  void find_structure();
  void find_integrator();
  void find_rig();
  void find_control();
  void find_narx();
  int narx_window() const noexcept;
  Eigen::Index narx_taps() const noexcept;
  const integrator_node::SiteSpecification& site() const noexcept {
    return setup_.integrator.sites.front();
  }
  const substructure::SiteInterface& interface() const noexcept {
    return structure_->parts().interfaces.front();
  }

  const composition::HybridTestSetup& setup_;
  const substructure::StructuralSubstructure* structure_ = nullptr;
  const integration::ConstantAverageAcceleration* integrator_ = nullptr;
  integration::UnbalancedForce::Rows rows_;
  std::shared_ptr<const ReferenceRows> reference_;
  const simulated::SensorNoise* noise_ = nullptr;
  std::unique_ptr<Compensator> compensator_;
  std::unique_ptr<ActuatorController> controller_;
  compensators::NarxCompensator* narx_ = nullptr;  // where the module computes it
  bool forwards_targets_ = false;
  bool sine_in_inverse_ = false;
  Eigen::Index actuator_states_ = 0;
  std::vector<int> recorded_;  // equations
  std::vector<double> parts_;
};

}  // namespace trestle::campaign
