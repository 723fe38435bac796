#pragma once

#include <string>

#include "observe/live/actuator_view.h"
#include "observe/live/quantity_text.h"

namespace trestle::live {

/// The numbers of one actuator in engineering units. The unit of a quantity follows its
/// limit, so that it stays the same during a test; without a limit it follows the value.
class ActuatorText {
 public:
  explicit ActuatorText(const ActuatorView& actuator) : actuator_(actuator) {}

  std::string name() const;      ///< "west 1"
  std::string target() const;    ///< "11.42 mm"
  std::string measured() const;  ///< "11.33 mm"
  std::string force() const;     ///< "178.0 kN"
  std::string delay() const;     ///< "0.4 ms"; negative: early
  std::string error() const;     ///< "1.1 %"
  /// "71 % force"; "-" if no limit is used, "NOT KNOWN" if no row tells it.
  std::string nearest() const;
  /// "178.0 of 250.0 kN", of the nearest limit; behind a lower bound ", per step: at
  /// least".
  std::string nearest_detail() const;
  /// Part of the nearest limit that is used; 0 if none is.
  double nearest_ratio() const;

 private:
  std::string displacement(double value) const;

  const ActuatorView& actuator_;
};

/// What a limit is measured in.
Quantity quantity_of(LimitKind limit) noexcept;

}  // namespace trestle::live
