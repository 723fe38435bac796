#pragma once

#include "numerical/bridge/girders.h"

namespace trestle::bridge {

/// Of Euler–Bernoulli elements with consistent mass; girders on a common elastic pier are
/// one part.
/// @param modes  of each part; 0: all
BridgeModes finite_element_modes(const Girders& girders, int elements_per_span, int modes);

/// Free DOFs of the largest part of finite_element_modes().
int largest_part(const Girders& girders, int elements_per_span);

}  // namespace trestle::bridge
