#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "adapters/scpi_tcp/text_pieces.h"

namespace trestle::scpi_tcp {

/// A command that moves actuators: `POS {drive1:.6f},{drive2:.6f}`. Formats are `.Nf` and
/// `.Ne` with N digits behind the point; without one a number has as many digits as it
/// needs. The decimal point is a point, whatever the locale.
class DriveLine {
 public:
  /// @param path  of the setting, for the sentence
  /// @throws std::runtime_error  a place is no drive, a format is unknown, or the line
  ///         cannot be parsed back without ambiguity
  DriveLine(const std::string& path, const std::string& text);

  /// Indices of the actuators that it moves, from 0.
  const std::vector<std::uint32_t>& actuators() const noexcept { return actuators_; }
  /// @param numbers  of all actuators, as the instrument counts them; finite
  std::string line(std::span<const double> numbers) const;

 private:
  std::vector<TextPiece> pieces_;
  std::vector<std::uint32_t> actuators_;  // one for each place
};

}  // namespace trestle::scpi_tcp
