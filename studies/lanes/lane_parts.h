#pragma once

#include "adapters/simulated/kinematic_step.h"
#include "core/math/sampled_step.h"
#include "site-servers/compensators/narx_step.h"
#include "site-servers/kinematics/coupler_geometry.h"
#include "studies/lanes/lane_problem.h"

namespace trestle::lanes {

/// The parts of a site in which the runs of a batch may differ.
template <typename Real>
struct LaneParts {
  kinematics::CouplerGeometry<Real> coupler;
  math::SampledStep<Real> actuators;
  simulated::KinematicStep<Real> specimen;
  compensators::NarxStep<Real> narx[kLaneActuators];  ///< empty: another compensator

  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor& visit) {
    kinematics::CouplerGeometry<Real>::fields(self.coupler, visit);
    math::SampledStep<Real>::fields(self.actuators, visit);
    simulated::KinematicStep<Real>::fields(self.specimen, visit);
    for (auto& actuator : self.narx) compensators::NarxStep<Real>::fields(actuator, visit);
  }
};

/// Writes fields number by number, each matrix behind its rows and columns.
template <typename Numbers>
class FieldWriter {
 public:
  explicit FieldWriter(Numbers& numbers) : numbers_(numbers) {}

  template <typename... Field>
  void operator()(const Field&... field) {
    (write(field), ...);
  }

 private:
  void write(double value) { numbers_.push_back(value); }
  template <typename Derived>
  void write(const Eigen::DenseBase<Derived>& matrix) {
    numbers_.push_back(static_cast<double>(matrix.rows()));
    numbers_.push_back(static_cast<double>(matrix.cols()));
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      for (Eigen::Index i = 0; i < matrix.rows(); ++i) numbers_.push_back(matrix(i, j));
  }

  Numbers& numbers_;
};

}  // namespace trestle::lanes
