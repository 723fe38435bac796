#pragma once

namespace trestle::driver {

/// Waits for events of one descriptor, as poll() does, but a signal does not end the wait:
/// its handler may only have noted that somebody asks for the end.
/// @param patience_ms  at most
/// @returns whether one came in time
bool patient_poll(int descriptor, short events, int patience_ms) noexcept;

}  // namespace trestle::driver
