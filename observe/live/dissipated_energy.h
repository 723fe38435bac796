#pragma once

#include <cstdint>

namespace trestle::live {

/// The work of a measured force over a measured motion from the first row of a record, by
/// the trapezoidal rule: ∫ F dx. Of whole loops it is the energy that the specimen
/// dissipated; in between it has what the specimen stores, too.
class DissipatedEnergy {
 public:
  /// The next row. A row with a value that is not finite adds nothing, as in the report,
  /// and neither does the one behind it.
  /// @param index         of the row in its stream, from 0
  /// @param displacement  [m | rad]
  /// @param force         [N | N·m]
  void add(std::int64_t index, double displacement, double force) noexcept;

  /// [J]; NaN as long as no row was added, and if the first was not row 0 or one between
  /// was left out: a part of the work is not the work.
  double value() const noexcept;

 private:
  std::int64_t next_ = 0;  // index of the row that is due
  bool whole_ = true;
  double displacement_ = 0.0;
  double force_ = 0.0;
  double sum_ = 0.0;
};

}  // namespace trestle::live
