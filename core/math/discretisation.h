#pragma once

#include <cstdint>

#include "core/math/state_space.h"

namespace trestle::math {

enum class Discretisation : std::uint8_t {
  /// Exact where the input is held over the period: A_d = exp(A h), B_d = ∫ exp(A t) B dt.
  kZeroOrderHold,
  /// Bilinear rule s = (2/h)(z − 1)/(z + 1): for filters; the input is a straight line.
  kTustin,
  /// One classic Runge–Kutta step of fourth order with the input held: the zero-order hold
  /// with the series of exp(A h) cut after the fourth power.
  kRungeKuttaHold,
};

/// @param period  h > 0 [s]
/// @pre sizes_fit(system)
DiscreteStateSpace discretise(const StateSpace& system, double period,
                              Discretisation method = Discretisation::kZeroOrderHold);

}  // namespace trestle::math
