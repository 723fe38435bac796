#pragma once

#include <Eigen/Eigenvalues>
#include <cmath>

namespace trestle::structure {

/// Judges whether a section of fibres softens: whether its tangent has a negative
/// eigenvalue when each direction is scaled by its elastic stiffness. Curvature then
/// concentrates at this section, and the result depends on the number of sections.
///
/// The tangent is that of (N, M) by (ε₀, κ), in space of (N, M_z, M_y) by (ε₀, κ_z, κ_y).
template <int Size>
class SectionSoftening {
 public:
  using Tangent = Eigen::Matrix<double, Size, Size>;

  /// @param elastic  the tangent at rest
  explicit SectionSoftening(const Tangent& elastic) {
    for (int i = 0; i < Size; ++i)
      scale_[i] = elastic(i, i) > 0.0 ? 1.0 / std::sqrt(elastic(i, i)) : 0.0;
  }

  bool softens(const Tangent& tangent) const noexcept {
    const Tangent scaled = scale_.asDiagonal() * tangent * scale_.asDiagonal();
    Eigen::SelfAdjointEigenSolver<Tangent> solver;
    solver.computeDirect(scaled, Eigen::EigenvaluesOnly);
    // A section that hangs on one row of fibres has an eigenvalue of zero.
    return solver.eigenvalues()[0] < -kRounding;
  }

 private:
  static constexpr double kRounding = 1e-9;
  Eigen::Matrix<double, Size, 1> scale_;
};

}  // namespace trestle::structure
