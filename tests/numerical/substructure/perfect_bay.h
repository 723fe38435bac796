#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "core/math/dense_eigenvalues.h"

namespace trestle::testing {

/// The multi-axial benchmark's bay behind a perfect transfer system that is one sample
/// late, written down from the benchmark's definition alone: coupler there and back, and
/// force from measured motion. Rotations in the coupler's sign.
class PerfectBay {
 public:
  explicit PerfectBay(double time_step) : time_step_(time_step) {
    const double E = 200e9;
    const double rho = 7850.0;
    const double inch = 0.0254;
    const double Lb = 0.762;
    const double Lc = 0.64135;
    const double Ic = 0.7 * 2.520 * std::pow(inch, 4);
    const double Ib = 4.21372e-7;
    const double c12 = 12 * E * Ic / std::pow(Lc, 3);
    const double c6 = 6 * E * Ic / (Lc * Lc);
    const double c4 = 4 * E * Ic / Lc;
    const double c2 = 2 * E * Ic / Lc;
    const double b4 = 4 * E * Ib / Lb;
    const double b2 = 2 * E * Ib / Lb;
    K_ << 2 * c12, c6, c6, c6, c6,  //
        c6, c4 + b4, b2, 0, c2,     //
        c6, b2, c4 + b4, c2, 0,     //
        c6, 0, c2, c4, 0,           //
        c6, c2, 0, 0, c4;
    const double mb = rho * 7.56e-4 * Lb;
    const double mc = rho * 1.670 * inch * inch * Lc;
    const double joint = (mb * Lb * Lb / 2 + mc * Lc * Lc / 2) / 3;
    const double base = mc * Lc * Lc / 2 / 3;
    Vector mass;
    mass << (mb + 2 * mc) / 2, joint, joint, base, base;
    M_ = (1.1 * mass).asDiagonal();
    const math::SymmetricEigen modes = math::symmetric_eigen(K_, M_);
    const double omega[] = {357.18, 927.13, 1102.67, 1629.83, 2061.44};
    for (int i = 0; i < 5; ++i) {
      const Vector phi = modes.vectors.col(i);
      C_ += M_ * (2 * 0.05 * omega[i] / phi.dot(M_ * phi) * phi * phi.transpose()) * M_;
    }
    follow_ = -K_.bottomRightCorner<3, 3>().inverse() * K_.bottomLeftCorner<3, 2>();
  }

  /// Strokes for x and theta [m, rad].
  static Eigen::Vector2d strokes(double x, double theta) {
    return {x + kArm * (std::cos(theta - kAngle) - std::cos(kAngle)),
            x + kArm * (std::cos(theta + kAngle) - std::cos(kAngle))};
  }
  /// As published: sin(theta) inside the cosine.
  static Eigen::Vector2d motion(const Eigen::Vector2d& stroke) {
    const double q = (stroke[0] - stroke[1]) / (2 * kArm * std::sin(kAngle));
    return {stroke[0] - kArm * (std::cos(q - kAngle) - std::cos(kAngle)), std::asin(q)};
  }

  /// Forces at x, theta and the other joint's theta for the next sample's motion.
  Eigen::Vector3d force(const Eigen::Vector2d& moved) {
    Vector z;
    z << moved, follow_ * moved;
    Vector v = Vector::Zero();
    Vector w = Vector::Zero();
    if (samples_ > 0) {
      v = (z - z_) / time_step_;
      w = (v - v_) / time_step_;
    }
    z_ = z;
    v_ = v;
    ++samples_;
    return (K_ * z + C_ * v + M_ * w).head<3>();
  }

 private:
  using Vector = Eigen::Matrix<double, 5, 1>;
  using Matrix = Eigen::Matrix<double, 5, 5>;
  static inline const double kArm = std::hypot(0.26670, 0.127);
  static inline const double kAngle = 25.4633 * std::numbers::pi / 180;

  double time_step_;
  Matrix K_;
  Matrix M_;
  Matrix C_ = Matrix::Zero();
  Eigen::Matrix<double, 3, 2> follow_;
  Vector z_ = Vector::Zero();
  Vector v_ = Vector::Zero();
  int samples_ = 0;
};

}  // namespace trestle::testing
