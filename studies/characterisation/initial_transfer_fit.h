#pragma once

#include "studies/characterisation/delayed_transfer.h"
#include "studies/characterisation/frequency_response_data.h"

namespace trestle::characterisation {

/// Returns a stable transfer function near the measured response, for a given delay, as the
/// start of a fit. Linear least squares (Levy 1959), weighted again by the resulting
/// denominator (Sanathanan and Koerner 1963); unstable poles are mirrored. The hold counts
/// as a delay of half a tick, its value at low frequencies.
/// @param order  >= 1
/// @param zeros  below the order
DelayedTransfer initial_transfer_fit(const FrequencyResponseData& lines, int order,
                                     int zeros, double delay, double scale);

}  // namespace trestle::characterisation
