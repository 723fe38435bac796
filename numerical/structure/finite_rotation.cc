#include "numerical/structure/finite_rotation.h"

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstddef>

namespace trestle::structure {
namespace {

/// S(θ) = I + a·θ× + b·(θ×)², with a, b and what follows even functions of α = |θ|;
/// `_by`: their derivative by α, over α.
struct SpinFactors {
  double a, b, a_by, b_by;
};

SpinFactors spin_factors(double square) noexcept {
  SpinFactors factors{};
  if (square >= 1.0) {
    const double angle = std::sqrt(square);
    const double sine = std::sin(angle);
    const double cosine = std::cos(angle);
    factors.a = (1.0 - cosine) / square;
    factors.b = (angle - sine) / (square * angle);
    factors.a_by = (angle * sine - 2.0 * (1.0 - cosine)) / (square * square);
    factors.b_by = (3.0 * sine - 2.0 * angle - angle * cosine) / (square * square * angle);
    return factors;
  }
  // a = Σ (−α²)ᵏ/(2k+2)!, b = Σ (−α²)ᵏ/(2k+3)!: at α = 1 the twelfth term is 1e-26.
  constexpr int kTerms = 12;
  double power = 1.0;   // (−α²)ᵏ
  double before = 0.0;  // (−1)ᵏ·α²ᵏ⁻²
  double factorial = 2.0;
  for (int k = 0; k < kTerms; ++k) {
    const double even = factorial;              // (2k + 2)!
    const double odd = even * (2.0 * k + 3.0);  // (2k + 3)!
    factors.a += power / even;
    factors.b += power / odd;
    factors.a_by += 2.0 * k * before / even;
    factors.b_by += 2.0 * k * before / odd;
    before = -power;
    power *= -square;
    factorial = odd * (2.0 * k + 4.0);
  }
  return factors;
}

/// S⁻¹(θ) = I − ½·θ× + η·(θ×)²; `by`: the derivative of η by α, over α.
struct InverseFactors {
  double eta, by;
};

InverseFactors inverse_factors(double square) noexcept {
  InverseFactors factors{};
  if (square >= 0.25) {
    const double half = 0.5 * std::sqrt(square);
    const double sine = std::sin(half);
    const double cotangent = half * std::cos(half) / sine;
    factors.eta = (1.0 - cotangent) / square;
    factors.by = (half * half / (sine * sine) + cotangent - 2.0) / (square * square);
    return factors;
  }
  // η = Σ |B₂ₖ|/(2k)!·α²ᵏ⁻², B Bernoulli's numbers; at α = ½ the ninth term is 1e-18 of it.
  constexpr std::array<double, 8> kSeries{
      1.0 / 12.0,          1.0 / 720.0,
      1.0 / 30240.0,       1.0 / 1209600.0,
      1.0 / 47900160.0,    691.0 / 1307674368000.0,
      1.0 / 74724249600.0, 3617.0 / 10670622842880000.0};
  double power = 1.0;
  double before = 0.0;
  for (std::size_t k = 0; k < kSeries.size(); ++k) {
    factors.eta += kSeries[k] * power;
    factors.by += 2.0 * static_cast<double>(k) * kSeries[k] * before;
    before = power;
    power *= square;
  }
  return factors;
}

/// Derivative of (θ×)²·m by θ at a constant m.
Eigen::Matrix3d derivative_of_square(const Eigen::Vector3d& vector,
                                     const Eigen::Vector3d& moment) noexcept {
  Eigen::Matrix3d result = vector * moment.transpose() - 2.0 * moment * vector.transpose();
  result.diagonal().array() += vector.dot(moment);
  return result;
}

}  // namespace

Eigen::Matrix3d skew(const Eigen::Vector3d& vector) noexcept {
  Eigen::Matrix3d result;
  result << 0.0, -vector.z(), vector.y(),  //
      vector.z(), 0.0, -vector.x(),        //
      -vector.y(), vector.x(), 0.0;
  return result;
}

Eigen::Matrix3d rotation_matrix(const Eigen::Vector3d& vector) noexcept {
  const double angle = vector.norm();
  const double half = 0.5 * angle;
  const double over =
      half < 1e-4 ? 0.5 * (1.0 - half * half / 6.0) : std::sin(half) / angle;
  const Eigen::Vector3d axis = over * vector;
  return Eigen::Quaterniond(std::cos(half), axis.x(), axis.y(), axis.z())
      .toRotationMatrix();
}

Eigen::Vector3d rotation_vector(const Eigen::Matrix3d& rotation) noexcept {
  Eigen::Quaterniond turn(rotation);
  turn.normalize();
  if (turn.w() < 0.0) turn.coeffs() = -turn.coeffs();
  const double sine = turn.vec().norm();
  if (sine == 0.0) return Eigen::Vector3d::Zero();
  return 2.0 * std::atan2(sine, turn.w()) / sine * turn.vec();
}

Eigen::Matrix3d spin_by_vector(const Eigen::Vector3d& vector) noexcept {
  const SpinFactors factors = spin_factors(vector.squaredNorm());
  const Eigen::Matrix3d cross = skew(vector);
  return Eigen::Matrix3d::Identity() + factors.a * cross + factors.b * cross * cross;
}

Eigen::Matrix3d vector_by_spin(const Eigen::Vector3d& vector) noexcept {
  const double eta = inverse_factors(vector.squaredNorm()).eta;
  const Eigen::Matrix3d cross = skew(vector);
  return Eigen::Matrix3d::Identity() - 0.5 * cross + eta * cross * cross;
}

Eigen::Matrix3d derivative_of_spin(const Eigen::Vector3d& vector,
                                   const Eigen::Vector3d& moment) noexcept {
  const SpinFactors factors = spin_factors(vector.squaredNorm());
  const Eigen::Vector3d once = vector.cross(moment);
  const Eigen::Vector3d twice = vector.cross(once);
  return factors.a * skew(moment) + factors.b * derivative_of_square(vector, moment) +
         (factors.b_by * twice - factors.a_by * once) * vector.transpose();
}

Eigen::Matrix3d derivative_of_inverse_spin(const Eigen::Vector3d& vector,
                                           const Eigen::Vector3d& moment) noexcept {
  const InverseFactors factors = inverse_factors(vector.squaredNorm());
  const Eigen::Vector3d twice = vector.cross(vector.cross(moment));
  return -0.5 * skew(moment) + factors.eta * derivative_of_square(vector, moment) +
         factors.by * twice * vector.transpose();
}

}  // namespace trestle::structure
