#pragma once

#include <Eigen/Core>
#include <array>

namespace trestle::identification {

/// The generalised orthogonal functions T of time that a series of evenly spaced samples is
/// fitted with: polynomials, orthonormal over those samples (Forsythe 1957), so that the
/// published coefficients C = ε Tᵀ (T Tᵀ)⁻¹ are ε Tᵀ. Their derivatives are exact.
///
/// Made from Chebyshev's polynomials by two QR reductions. Allocates; not for a control
/// thread.
class OrthogonalFunctions {
 public:
  /// Returns the number of polynomials that evenly spaced samples keep apart in double
  /// precision: 4 √samples, and no more than samples. Beyond, their Gram matrix has a
  /// condition number above 10¹⁴.
  static int largest_order(Eigen::Index samples);

  /// @param order    number of functions, of the degrees 0 to order − 1; from 1 to
  ///                 largest_order(samples)
  /// @param samples  > 1
  /// @param period   between two samples [s]
  OrthogonalFunctions(int order, Eigen::Index samples, double period);

  int order() const { return static_cast<int>(values_[0].rows()); }
  /// T, dT/dt [1/s] or d²T/dt² [1/s²] at the samples: functions × samples.
  /// @param derivative  0, 1 or 2
  const Eigen::MatrixXd& values(std::size_t derivative) const {
    return values_[derivative];
  }

  /// C of `series`, which has a row for each quantity and a column for each sample:
  /// quantities × functions.
  Eigen::MatrixXd coefficients(const Eigen::MatrixXd& series) const;

 private:
  std::array<Eigen::MatrixXd, 3> values_;
};

}  // namespace trestle::identification
