#pragma once

#include <Eigen/Core>
#include <cmath>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "numerical/integration/constant_average_acceleration.h"
#include "numerical/integration/explicit_newmark.h"
#include "numerical/integration/implicit.h"
#include "numerical/integration/kr_alpha.h"
#include "numerical/integration/operator_splitting.h"
#include "numerical/structure/structural_model.h"

namespace trestle::testing {

inline structure::SparseMatrix sparse(const Eigen::MatrixXd& dense) {
  return dense.sparseView();
}

/// n<i>.x for each row; nothing experimental.
inline structure::StructuralModel structure_of(const Eigen::MatrixXd& M,
                                               const Eigen::MatrixXd& C,
                                               const Eigen::MatrixXd& K) {
  structure::StructuralModel structure;
  structure.equations = static_cast<int>(M.rows());
  for (int i = 0; i < structure.equations; ++i)
    structure.dofs.push_back({"n" + std::to_string(i) + ".x", DofKind::kTranslation, i});
  structure.mass = sparse(M);
  structure.damping = sparse(C);
  structure.stiffness = sparse(K);
  const structure::SparseMatrix none(M.rows(), M.rows());
  structure.experimental_mass = none;
  structure.experimental_damping = none;
  structure.experimental_stiffness = none;
  structure.base_load = Eigen::MatrixXd::Zero(M.rows(), structure::kGroundDirections);
  structure.base_load.col(structure::kGroundX) = -M.rowwise().sum();
  return structure;
}

/// m = 1 kg, ζ and ω [rad/s] given.
inline structure::StructuralModel oscillator(double omega, double zeta) {
  return structure_of(Eigen::MatrixXd::Identity(1, 1),
                      Eigen::MatrixXd::Constant(1, 1, 2.0 * zeta * omega),
                      Eigen::MatrixXd::Constant(1, 1, omega * omega));
}

/// Stiffness of a shear building of equal storeys.
inline Eigen::MatrixXd chain_stiffness(int storeys, double k) {
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(storeys, storeys);
  for (int i = 0; i < storeys; ++i) {
    K(i, i) += k;
    if (i == 0) continue;
    K(i - 1, i - 1) += k;
    K(i, i - 1) = K(i - 1, i) = -k;
  }
  return K;
}

/// Every scheme of the house, as a test parameter.
struct Scheme {
  std::string name;
  std::unique_ptr<integration::TimeIntegrator> (*make)(const structure::StructuralModel&,
                                                       double time_step);
  double velocity_lag = 0.0;  ///< how long before the step its velocity is true [steps]
};

/// For the names of parametrised tests.
inline void PrintTo(const Scheme& scheme, std::ostream* stream) {
  *stream << scheme.name;
}

inline std::vector<Scheme> all_schemes() {
  return {
      {"explicit_newmark",
       [](const structure::StructuralModel& s,
          double dt) -> std::unique_ptr<integration::TimeIntegrator> {
         return std::make_unique<integration::ExplicitNewmark>(s, dt);
       }},
      {"constant_average_acceleration",
       [](const structure::StructuralModel& s,
          double dt) -> std::unique_ptr<integration::TimeIntegrator> {
         return std::make_unique<integration::ConstantAverageAcceleration>(s, dt);
       }},
      {"operator_splitting",
       [](const structure::StructuralModel& s,
          double dt) -> std::unique_ptr<integration::TimeIntegrator> {
         return std::make_unique<integration::OperatorSplitting>(s, dt, 0.0);
       }},
      {"alpha_operator_splitting",
       [](const structure::StructuralModel& s,
          double dt) -> std::unique_ptr<integration::TimeIntegrator> {
         return std::make_unique<integration::OperatorSplitting>(s, dt, -0.1);
       }},
      {"kr_alpha_1",
       [](const structure::StructuralModel& s,
          double dt) -> std::unique_ptr<integration::TimeIntegrator> {
         return std::make_unique<integration::KrAlpha>(s, dt, 1.0);
       },
       0.5},
      {"kr_alpha_05",
       [](const structure::StructuralModel& s,
          double dt) -> std::unique_ptr<integration::TimeIntegrator> {
         return std::make_unique<integration::KrAlpha>(s, dt, 0.5);
       },
       5.0 / 6.0},
      {"implicit",
       [](const structure::StructuralModel& s,
          double dt) -> std::unique_ptr<integration::TimeIntegrator> {
         return std::make_unique<integration::Implicit>(s, dt,
                                                        integration::ImplicitSettings{});
       }},
      {"implicit_05",
       [](const structure::StructuralModel& s,
          double dt) -> std::unique_ptr<integration::TimeIntegrator> {
         return std::make_unique<integration::Implicit>(
             s, dt,
             integration::ImplicitSettings{
                 .weights = integration::GeneralisedAlpha::by_radius(0.5)});
       }},
      {"generalised_operator_splitting",
       [](const structure::StructuralModel& s,
          double dt) -> std::unique_ptr<integration::TimeIntegrator> {
         return std::make_unique<integration::OperatorSplitting>(
             s, dt, integration::GeneralisedAlpha::by_radius(0.5));
       }},
  };
}

}  // namespace trestle::testing
