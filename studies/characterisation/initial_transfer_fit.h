#pragma once

#include "studies/characterisation/delayed_transfer.h"
#include "studies/characterisation/frequency_response_data.h"

namespace trestle {

/// A stable transfer function near the measured response, for a delay that is given: where
/// a fit may start. Linear least squares (Levy 1959), weighted anew by the denominator that
/// it found (Sanathanan and Koerner 1963); poles on the wrong side are mirrored. The hold
/// is taken for what it is at low frequencies, half a tick.
/// @param order  >= 1
/// @param zeros  below the order
DelayedTransfer initial_transfer_fit(const FrequencyResponseData& lines, int order,
                                     int zeros, double delay, double scale);

}  // namespace trestle
