#pragma once

#include <span>

namespace trestle::evaluation {

/// std(signal − wanted)/std(wanted), both without their means; not a number if nothing
/// was wanted.
/// @pre both of one length
double normalised_rms_error(std::span<const double> signal, std::span<const double> wanted);

/// max|signal − wanted|/max|wanted|.
double normalised_peak_error(std::span<const double> signal,
                             std::span<const double> wanted);

}  // namespace trestle::evaluation
