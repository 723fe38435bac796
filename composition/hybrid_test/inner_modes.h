#pragma once

#include <string>
#include <vector>

#include "proto/config/test.pb.h"

namespace trestle::composition {

/// A specimen with inner masses: the integrator owns the inertia that its interface feels
/// as long as it moves slowly, which is true far below `lowest` only.
struct InnerModes {
  int site = 0;          ///< its number in the test
  double lowest = 0.0;   ///< natural frequency with the interface held [Hz]
  double matters = 0.0;  ///< of the structure: modes up to it carry 90 % of the mass that
                         ///< the ground moves [Hz]; 0: not known

  static constexpr double kFar = 5.0;
  bool near() const noexcept { return matters > 0.0 && lowest < kFar * matters; }
};

/// Returns the inner modes of all simulated specimens and twins (kinds dynamic and frame);
/// none if the integrator steps no masses. Full matrices: for set-up.
/// @throws SettingError as the parts of the test do
std::vector<InnerModes> inner_modes(const config::Test& test);

/// Human-readable: "west: lowest frequency with its interface held 12.3 Hz".
std::string in_words(const config::Test& test, const InnerModes& modes);

}  // namespace trestle::composition
