#pragma once

namespace trestle::characterisation {

inline constexpr double kTick = 1.0 / 1024.0;  // [s]

}  // namespace trestle::characterisation
