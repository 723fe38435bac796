#pragma once

#include <stdexcept>

namespace trestle::characterisation {

/// Why a measurement of real equipment was not begun: its folder, or the state of its rig.
/// Nothing has moved, and a person can correct it. what() is one sentence.
class MeasurementRefusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace trestle::characterisation
