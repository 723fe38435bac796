#include "studies/controller_design/hinf_synthesis.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "core/base/setting_error.h"
#include "core/math/dense_eigenvalues.h"
#include "core/math/dense_solve.h"
#include "studies/controller_design/game_riccati.h"

namespace trestle::controller_design {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kFullRank = 1e-10;   // of the largest pivot
constexpr double kDefinite = 1e-7;    // of the largest eigenvalue
constexpr double kCancelled = 1e-12;  // of the terms

double largest_singular_value(const MatrixXd& matrix) {
  if (matrix.size() == 0) return 0.0;
  return math::singular_values(matrix.cast<std::complex<double>>()).maxCoeff();
}

/// M = Q·[0; R] of a tall M: the columns that it spans come last.
struct TailFactor {
  MatrixXd Q;  // NOLINT(readability-identifier-naming)
  MatrixXd R;  // NOLINT(readability-identifier-naming)
};

TailFactor tail_factor(const MatrixXd& M, const std::string& path, const char* what) {
  const Index rows = M.rows();
  const Index columns = M.cols();
  if (rows >= columns) {
    const Eigen::HouseholderQR<MatrixXd> factor(M);
    const MatrixXd Q = factor.householderQ() * MatrixXd::Identity(rows, rows);
    MatrixXd R = factor.matrixQR().topRows(columns);
    R.triangularView<Eigen::StrictlyLower>().setZero();
    const Eigen::VectorXd pivots = R.diagonal().cwiseAbs();
    if (columns == 0 || pivots.minCoeff() > kFullRank * pivots.maxCoeff()) {
      TailFactor tail{MatrixXd(rows, rows), std::move(R)};
      tail.Q << Q.rightCols(rows - columns), Q.leftCols(columns);
      return tail;
    }
  }
  throw SettingError(path, what);
}

/// A plant with D₁₂ = [0; I], D₂₁ = [0 I] and D₂₂ = 0, its states of similar size, and the
/// way back: u = from_u·ũ, ṽ = to_v·v.
struct NormalPlant {
  GeneralisedPlant plant;
  MatrixXd from_u;
  MatrixXd to_v;
};

NormalPlant normal_form(const GeneralisedPlant& given, const std::string& path) {
  const TailFactor z =
      tail_factor(given.D12, path,
                  "some drive costs nothing at high frequencies (D12 has no full column "
                  "rank); weigh every drive");
  const TailFactor w =
      tail_factor(given.D21.transpose(), path,
                  "something measured is not disturbed at high frequencies (D21 has no "
                  "full row rank); disturb every measurement");
  const Index m2 = given.D12.cols();
  const Index p2 = given.D21.rows();
  NormalPlant normal;
  normal.from_u = math::solved(z.R, MatrixXd::Identity(m2, m2));
  normal.to_v = math::solved(w.R.transpose(), MatrixXd::Identity(p2, p2));

  math::StateSpace whole;
  whole.A = given.A;
  whole.B.resize(given.A.rows(), given.B1.cols() + m2);
  whole.B << given.B1 * w.Q, given.B2 * normal.from_u;
  whole.C.resize(given.C1.rows() + p2, given.A.rows());
  whole.C << z.Q.transpose() * given.C1, normal.to_v * given.C2;
  whole.D = MatrixXd::Zero(whole.C.rows(), whole.B.cols());
  whole = math::balanced(std::move(whole));

  GeneralisedPlant& plant = normal.plant;
  plant.A = whole.A;
  plant.B1 = whole.B.leftCols(given.B1.cols());
  plant.B2 = whole.B.rightCols(m2);
  plant.C1 = whole.C.topRows(given.C1.rows());
  plant.C2 = whole.C.bottomRows(p2);
  plant.D11 = z.Q.transpose() * given.D11 * w.Q;
  plant.D12 = MatrixXd::Zero(given.D12.rows(), m2);
  plant.D12.bottomRows(m2).setIdentity();
  plant.D21 = MatrixXd::Zero(p2, given.D21.cols());
  plant.D21.rightCols(p2).setIdentity();
  plant.D22 = MatrixXd::Zero(p2, m2);
  return normal;
}

/// The solution of one of the two equations, in its own terms: the Riccati equation with
/// a₀ᵀX + X a₀ − X g X + q = 0, F = −R⁻¹(Dᵀ C + Bᵀ X).
struct GameSide {
  MatrixXd X;  // NOLINT(readability-identifier-naming)
  MatrixXd F;  // NOLINT(readability-identifier-naming)
  double residual = 0.0;
};

/// What one of the two equations sees of the plant; for Y the plant transposed.
struct Side {
  MatrixXd A;       // NOLINT(readability-identifier-naming)
  MatrixXd B;       // NOLINT(readability-identifier-naming)
  MatrixXd C;       // NOLINT(readability-identifier-naming)
  MatrixXd D;       // NOLINT(readability-identifier-naming)
  Index attackers;  // the first inputs, which work against the others
};

std::optional<GameSide> solve_side(const Side& side, double level) {
  const auto& [A, B, C, D, attackers] = side;
  MatrixXd R = D.transpose() * D;
  R.diagonal().head(attackers).array() -= level * level;
  const MatrixXd held = math::solved(R, D.transpose() * C);  // R⁻¹DᵀC
  const MatrixXd drift = A - B * held;
  const MatrixXd gain = B * math::solved(R, B.transpose());
  MatrixXd cost = C.transpose() * (C - D * held);
  // Where D is square, as of errors that the targets disturb directly, all of it cancels.
  if (cost.norm() <= kCancelled * C.squaredNorm()) cost.setZero();
  const std::optional<MatrixXd> X = solve_game_riccati(
      drift, 0.5 * (gain + gain.transpose()), 0.5 * (cost + cost.transpose()));
  if (!X) return std::nullopt;
  if (X->size() > 0) {
    const Eigen::VectorXd values = math::symmetric_eigen(*X).values;
    if (values.minCoeff() < -kDefinite * std::max(values.cwiseAbs().maxCoeff(), 1e-300))
      return std::nullopt;
  }
  return GameSide{*X, -held - math::solved(R, B.transpose() * *X),
                  riccati_residual(drift, gain, cost, *X)};
}

/// Levels that no controller can reach, from D₁₁ alone.
double floor_of(const GeneralisedPlant& plant) {
  const Index m2 = plant.D12.cols();
  const Index p2 = plant.D21.rows();
  return std::max(largest_singular_value(plant.D11.topRows(plant.D11.rows() - m2)),
                  largest_singular_value(plant.D11.leftCols(plant.D11.cols() - p2)));
}

/// u = K̃ (v − D₂₂ u).
math::StateSpace with_feedthrough(math::StateSpace K, const MatrixXd& feedthrough) {
  const MatrixXd loop = MatrixXd::Identity(K.D.rows(), K.D.rows()) + K.D * feedthrough;
  const MatrixXd C = math::solved(loop, K.C);
  const MatrixXd D = math::solved(loop, K.D);
  K.A -= K.B * feedthrough * C;
  K.B -= (K.B * feedthrough * D).eval();
  K.C = C;
  K.D = D;
  return K;
}

std::optional<HinfController> controller_of(const NormalPlant& normal, double level) {
  const auto& [A, B1, B2, C1, C2, D11, D12, D21, D22] = normal.plant;
  if (!(level > floor_of(normal.plant))) return std::nullopt;
  const Index n = A.rows();
  const Index m1 = B1.cols(), m2 = B2.cols(), p1 = C1.rows(), p2 = C2.rows();
  MatrixXd B(n, m1 + m2), row_of_d(p1, m1 + m2), C(p1 + p2, n), column_of_d(p1 + p2, m1);
  B << B1, B2;
  row_of_d << D11, D12;
  C << C1, C2;
  column_of_d << D11, D21;
  const std::optional<GameSide> x = solve_side({A, B, C1, row_of_d, m1}, level);
  if (!x) return std::nullopt;
  const std::optional<GameSide> y = solve_side(
      {A.transpose(), C.transpose(), B1.transpose(), column_of_d.transpose(), p1}, level);
  if (!y) return std::nullopt;
  const MatrixXd& X = x->X;
  const MatrixXd& Y = y->X;
  const double squared = level * level;
  if (n > 0 && !(math::eigenvalues(X * Y).cwiseAbs().maxCoeff() < squared))
    return std::nullopt;

  const Index free_z = p1 - m2, free_w = m1 - p2;
  const MatrixXd F = x->F;              // m1 + m2 rows
  const MatrixXd L = y->F.transpose();  // p1 + p2 columns
  const MatrixXd f12 = F.middleRows(free_w, p2);
  const MatrixXd F2 = F.bottomRows(m2);
  const MatrixXd l12 = L.middleCols(free_z, m2);
  const MatrixXd L2 = L.rightCols(p2);
  const MatrixXd d1111 = D11.topLeftCorner(free_z, free_w);
  const MatrixXd d1112 = D11.topRightCorner(free_z, p2);
  const MatrixXd d1121 = D11.bottomLeftCorner(m2, free_w);
  const MatrixXd d1122 = D11.bottomRightCorner(m2, p2);
  MatrixXd direct = -d1122;
  if (free_z > 0 && free_w > 0)
    direct -= d1121 * d1111.transpose() *
              math::solved(
                  squared * MatrixXd::Identity(free_z, free_z) - d1111 * d1111.transpose(),
                  d1112);
  // Z = (I − Y X/γ²)⁻¹
  const MatrixXd inner = MatrixXd::Identity(n, n) - Y * X / squared;
  const MatrixXd seen = C2 + f12;
  HinfController found;
  math::StateSpace& K = found.controller;
  K.B = math::solved(inner, (B2 + l12) * direct - L2);
  K.C = F2 - direct * seen;
  K.A = A + B * F - K.B * seen;
  K.D = direct;
  K.B = (K.B * normal.to_v).eval();
  K.C = (normal.from_u * K.C).eval();
  K.D = (normal.from_u * K.D * normal.to_v).eval();
  found.level = level;
  found.worst_residual = std::max(x->residual, y->residual);
  if (!K.A.allFinite() || !K.B.allFinite() || !K.C.allFinite()) return std::nullopt;
  return found;
}

}  // namespace

std::optional<HinfController> central_controller(const GeneralisedPlant& plant,
                                                 double level, const std::string& path) {
  std::optional<HinfController> found = controller_of(normal_form(plant, path), level);
  if (found) found->controller = with_feedthrough(std::move(found->controller), plant.D22);
  return found;
}

HinfController synthesise_hinf(const GeneralisedPlant& plant, const HinfSettings& settings,
                               const std::string& path) {
  const NormalPlant normal = normal_form(plant, path);
  double below = std::max(floor_of(normal.plant), 1e-9);
  double above = 2.0 * below;
  while (!controller_of(normal, above)) {
    below = above;
    above *= 2.0;
    if (above > settings.most_level)
      throw SettingError(
          path,
          "no controller keeps the weighted response below " +
              std::to_string(settings.most_level) +
              "; a mode cannot be stabilised or is not seen, or a pole of the model or a "
              "zero between drive and measurement lies on the imaginary axis");
  }
  while (above > (1.0 + settings.tolerance) * below) {
    const double middle = std::sqrt(below * above);
    (controller_of(normal, middle) ? above : below) = middle;
  }
  std::optional<HinfController> found = controller_of(normal, settings.excess * above);
  if (!found) found = controller_of(normal, above);
  found->least_level = above;
  found->controller = with_feedthrough(std::move(found->controller), plant.D22);
  return *std::move(found);
}

math::StateSpace closed_loop(const GeneralisedPlant& plant, const math::StateSpace& K) {
  const auto& [A, B1, B2, C1, C2, D11, D12, D21, D22] = plant;
  const Index n = A.rows(), k = K.A.rows(), m1 = B1.cols();
  // v and u over (x, q, w).
  const MatrixXd loop = MatrixXd::Identity(D22.rows(), D22.rows()) - D22 * K.D;
  MatrixXd v(C2.rows(), n + k + m1);
  v << C2, D22 * K.C, D21;
  v = math::solved(loop, v);
  MatrixXd u = K.D * v;
  u.middleCols(n, k) += K.C;
  MatrixXd next(n + k, n + k + m1);
  next.topRows(n) = B2 * u;
  next.topLeftCorner(n, n) += A;
  next.topRightCorner(n, m1) += B1;
  next.bottomRows(k) = K.B * v;
  next.block(n, n, k, k) += K.A;
  MatrixXd z = D12 * u;
  z.leftCols(n) += C1;
  z.rightCols(m1) += D11;
  return {next.leftCols(n + k), next.rightCols(m1), z.leftCols(n + k), z.rightCols(m1)};
}

}  // namespace trestle::controller_design
