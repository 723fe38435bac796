#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "numerical/substructure/structural_substructure.h"
#include "tests/numerical/integration/small_structures.h"

namespace trestle::testing {

inline constexpr double kStep = 1.0 / 512.0;  // [s]
inline constexpr int kRows = 4;

/// A two-storey frame's x and rz of two joints: full, coupled blocks, masses of two sizes.
inline Eigen::MatrixXd frame_mass() {
  return Eigen::Vector4d(6000.0, 500.0, 5000.0, 500.0).asDiagonal();
}
inline Eigen::MatrixXd frame_stiffness() {
  Eigen::MatrixXd K(4, 4);
  K << 5.3e6, -8.0e6, -5.3e6, -8.0e6,  //
      -8.0e6, 3.2e7, 8.0e6, 8.0e6,     //
      -5.3e6, 8.0e6, 5.3e6, 8.0e6,     //
      -8.0e6, 8.0e6, 8.0e6, 3.2e7;
  return K;
}
/// The column below, in a laboratory: x and rz of the first joint.
inline Eigen::Matrix2d column_stiffness() {
  Eigen::Matrix2d K;
  K << 5.3e6, 8.0e6, 8.0e6, 1.6e7;
  return K;
}

inline Eigen::MatrixXd extended(const Eigen::MatrixXd& block) {
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(kRows, kRows);
  whole.topLeftCorner(block.rows(), block.cols()) = block;
  return whole;
}

/// Rayleigh damping of the whole, so that both halves of a comparison have the same.
inline Eigen::MatrixXd frame_damping() {
  return 0.5 * frame_mass() + 2e-4 * (frame_stiffness() + extended(column_stiffness()));
}

/// The numerical part; the specimen known by its initial stiffness.
inline structure::StructuralModel divided() {
  structure::StructuralModel structure =
      structure_of(frame_mass(), frame_damping(), frame_stiffness());
  structure.experimental_stiffness = sparse(extended(column_stiffness()));
  return structure;
}
/// Numerical part and specimen assembled into one stiffness.
inline structure::StructuralModel assembled() {
  return structure_of(frame_mass(), frame_damping(),
                      frame_stiffness() + extended(column_stiffness()));
}

/// Something irregular that starts from zero.
inline excitation::Excitation shaking(const structure::StructuralModel& structure,
                                      double time_step, double end) {
  const std::int64_t steps = excitation::step_count(end, time_step);
  std::vector<double> acceleration;
  for (std::int64_t k = 0; k < steps; ++k) {
    const double t = static_cast<double>(k) * time_step;
    acceleration.push_back(2.0 * std::sin(9.0 * t) * std::sin(0.9 * t) +
                           std::sin(31.0 * t) * std::sin(2.0 * t));
  }
  return excitation::Excitation(time_step, steps, structure.base_load.col(0),
                                std::move(acceleration), {});
}

inline std::unique_ptr<substructure::StructuralSubstructure> substructure(
    structure::StructuralModel structure, const Scheme& scheme, bool has_site,
    double time_step = kStep, double end = 10.0) {
  auto integrator = scheme.make(structure, time_step);
  excitation::Excitation excitation = shaking(structure, time_step, end);
  std::vector<structure::NamedDof> recorded = structure.dofs;
  std::vector<substructure::SiteInterface> interfaces;
  if (has_site) interfaces.push_back({{0, 1}, {0, 1}});
  return std::make_unique<substructure::StructuralSubstructure>(
      substructure::StructuralSubstructureParts{.structure = std::move(structure),
                                                .integrator = std::move(integrator),
                                                .excitation = std::move(excitation),
                                                .interfaces = std::move(interfaces),
                                                .undivided = {},
                                                .recorded = std::move(recorded),
                                                .time_step = time_step});
}

/// The sites' forces of the last step.
inline Scheme last_step_scheme() {
  return {"forces_of_last_step",
          [](const structure::StructuralModel& s,
             double dt) -> std::unique_ptr<integration::TimeIntegrator> {
            return std::make_unique<integration::ConstantAverageAcceleration>(
                s, dt, integration::SiteForceTiming::kPreviousStep);
          }};
}

inline std::vector<Scheme> all_and_last_step() {
  std::vector<Scheme> schemes = all_schemes();
  schemes.push_back(last_step_scheme());
  return schemes;
}

/// A site that answers f = K·d at the requested displacement.
class LinearSite {
 public:
  LinearSite() : requests_(1), answers_(1) {
    requests_[0].target = InterfaceMotion::zero(2);
    answers_[0] = {InterfaceVector::Zero(2), InterfaceVector::Zero(2)};
  }

  /// One whole step. @returns what correct() says
  bool step(substructure::StructuralSubstructure& structure, std::int64_t k) {
    structure.predict(k, requests_);
    answers_[0].measured = requests_[0].target.displacement;
    answers_[0].force.noalias() = stiffness_ * answers_[0].measured;
    return structure.correct(k, answers_);
  }
  std::span<SiteResponse> answers() { return answers_; }
  std::span<SiteTarget> requests() { return requests_; }

 private:
  Eigen::Matrix2d stiffness_ = column_stiffness();
  std::vector<SiteTarget> requests_;
  std::vector<SiteResponse> answers_;
};

}  // namespace trestle::testing
