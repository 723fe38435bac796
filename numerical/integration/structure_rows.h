#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace trestle::integration {

/// Adds stiffness · displacement and damping · velocity of one entry of a row.
inline void add_entry(Eigen::Array2d& sum, const Eigen::Array2d& entry,
                      const Eigen::Array2d& motion) noexcept {
  sum += entry * motion;
}
template <typename Real>
void add_entry(Eigen::Array<Real, 2, 1>& sum, const Eigen::Array2d& entry,
               const Eigen::Array<Real, 2, 1>& motion) noexcept {
  sum[0] += Real(entry[0]) * motion[0];
  sum[1] += Real(entry[1]) * motion[1];
}

/// Stiffness and damping of a structure, row by row.
struct StructureRows {
  std::size_t count = 0;
  const int* start = nullptr;  ///< of each row among the entries, and the end
  const int* column = nullptr;
  const Eigen::Array2d* entry = nullptr;
};

/// result = load − K·d − C·v. A template on the number: `double`, or a pack of one number
/// per lane, with the matrices of all lanes.
/// @param motion  displacement and velocity of each equation
template <typename Real>
void subtract_rows(const StructureRows& rows, const Eigen::Array<Real, 2, 1>* motion,
                   const Real* load, Real* result) noexcept {
  for (std::size_t row = 0; row < rows.count; ++row) {
    Eigen::Array<Real, 2, 1> sum(Real(0.0), Real(0.0));
    for (int at = rows.start[row]; at < rows.start[row + 1]; ++at)
      add_entry(sum, rows.entry[at], motion[rows.column[at]]);
    result[row] = load[row] - sum[0] - sum[1];
  }
}

}  // namespace trestle::integration
