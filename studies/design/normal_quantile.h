#pragma once

namespace trestle::design {

/// The number that a normal value of mean 0 and standard deviation 1 does not exceed with
/// this probability: PPND16 of algorithm AS 241 (Wichura 1988), to about 1 part in 10¹⁶.
/// @param probability  in (0, 1)
double normal_quantile(double probability) noexcept;

}  // namespace trestle::design
