#include "studies/identification/nodal_reconstruction.h"

#include <algorithm>

#include "core/math/dense_solve.h"
#include "studies/identification/orthogonal.h"

namespace trestle::identification {
namespace {

constexpr double kDependent = 1e-10;  // part of the largest pivot

/// Φ in the girder's modes: gauges × modes.
Eigen::MatrixXd modal_strains(const Girder& girder, const std::vector<Sensor>& gauges) {
  Eigen::MatrixXd phi(static_cast<Eigen::Index>(gauges.size()), girder.mode_count());
  for (std::size_t s = 0; s < gauges.size(); ++s)
    phi.row(static_cast<Eigen::Index>(s)) =
        -gauges[s].gauge_arm * girder.shapes(gauges[s].at, 2).transpose();
  return phi;
}

/// The lower L of norm(R) = ‖Lᵀ q‖², q the modal coordinates.
Eigen::MatrixXd norm_factor(const Girder& girder, NodalNorm norm) {
  const Eigen::ArrayXd omega = girder.frequencies().array();
  if (norm == NodalNorm::kBending) return omega.matrix().asDiagonal();
  if (norm == NodalNorm::kLoad) return omega.square().matrix().asDiagonal();
  const std::vector<double>& nodes = girder.nodes();
  const auto count = static_cast<Eigen::Index>(nodes.size());
  Eigen::MatrixXd motions(2 * count, girder.mode_count());
  for (Eigen::Index i = 0; i < count; ++i)
    for (const int order : {0, 1})
      motions.row(2 * i + order) =
          girder.shapes(nodes[static_cast<std::size_t>(i)], order).transpose();
  return math::qr_r_factor(motions).transpose();
}

}  // namespace

NodalReconstruction::NodalReconstruction(const Girder& girder,
                                         const std::vector<Sensor>& gauges,
                                         const NodalInverseSettings& settings,
                                         const Eigen::MatrixXd& strain)
    : girder_(girder) {
  const Eigen::MatrixXd L = norm_factor(girder, settings.norm);
  // In y = Lᵀ q the norm is ‖y‖²: Φ q = Φ L⁻ᵀ y.
  const Eigen::MatrixXd A =
      math::solve_lower(L, modal_strains(girder, gauges).transpose()).transpose();
  const SingularValues parts = thin_singular(A);
  const Eigen::MatrixXd seen = parts.U.transpose() * strain;
  const double unreached =
      A.rows() > A.cols() ? (strain - parts.U * seen).squaredNorm() : 0.0;
  const TikhonovSpectrum spectrum{parts.s.array(), seen.rowwise().norm().array(), unreached,
                                  static_cast<double>(gauges.size())};
  lambda_ = chosen_lambda(spectrum, settings.regularisation);
  const Eigen::ArrayXd filter =
      (spectrum.s > kDependent * spectrum.s.maxCoeff())
          .select(spectrum.s / (spectrum.s.square() + lambda_ * lambda_), 0.0);
  modal_ = math::solve_lower_transpose(
      L, parts.V * filter.matrix().asDiagonal() * parts.U.transpose());
}

Eigen::MatrixXd NodalReconstruction::deflections(const std::vector<double>& points) const {
  Eigen::MatrixXd shapes(static_cast<Eigen::Index>(points.size()), girder_.mode_count());
  for (std::size_t i = 0; i < points.size(); ++i)
    shapes.row(static_cast<Eigen::Index>(i)) = girder_.shapes(points[i], 0).transpose();
  return shapes * modal_;
}

Eigen::Index gauged_motions(const Girder& girder, const std::vector<Sensor>& gauges) {
  // Without the gauges' arms, which say nothing of what they determine.
  Eigen::MatrixXd phi = modal_strains(girder, gauges);
  for (Eigen::Index s = 0; s < phi.rows(); ++s) phi.row(s).normalize();
  return math::rank(phi, kDependent);
}

std::vector<double> moving_nodes(const Girder& girder) {
  double largest = 0.0;
  for (const double x : girder.nodes())
    largest = std::max(largest, girder.shapes(x, 0).norm());
  std::vector<double> moving;
  for (const double x : girder.nodes())
    if (girder.shapes(x, 0).norm() > kDependent * largest) moving.push_back(x);
  return moving;
}

}  // namespace trestle::identification
