#pragma once

#include <optional>
#include <string>
#include <vector>

#include "observe/plot/engineering_unit.h"

namespace trestle::plot {

/// The settings of an axis.
struct AxisSettings {
  std::string label = {};     ///< "time", "force"
  EngineeringUnit unit = {};  ///< values are multiplied by its factor
  bool logarithmic = false;
  bool starts_at_zero = false;
  bool symmetric = false;             ///< about zero
  std::optional<double> lowest = {};  ///< as the values are, before the factor
  std::optional<double> highest = {};
  bool hides_numbers = false;  ///< the axis below shows them
};

struct AxisTick {
  double value = 0.0;  ///< as shown, after the unit's factor
  std::string label;
};

/// One axis of a picture: the range in round numbers, ticks in steps of 1, 2 or 5, and the
/// place of a value.
class Axis {
 public:
  /// @param low, high   of the values; NaN: there are none
  /// @param from, to    places of the ends of the range [px]
  Axis(const AxisSettings& settings, double low, double high, double from, double to);

  /// Returns the position of a value [px].
  double place(double value) const noexcept;

  const std::vector<AxisTick>& ticks() const noexcept { return ticks_; }
  /// Returns the position of a tick [px].
  double tick_place(const AxisTick& tick) const noexcept;

  double low() const noexcept { return low_; }    ///< as shown
  double high() const noexcept { return high_; }  ///< as shown

 private:
  void take_linear(const AxisSettings& settings, double low, double high);
  void take_logarithmic(const AxisSettings& settings, double low, double high);
  void mark_round_numbers(double low, double high);
  double shown_place(double shown) const noexcept;

  bool logarithmic_;
  double factor_;
  double from_;
  double to_;
  double low_ = 0.0;
  double high_ = 1.0;
  std::vector<AxisTick> ticks_;
};

/// 1, 2 or 5 times a power of ten, the smallest that is not below `least`.
double round_step(double least);

}  // namespace trestle::plot
