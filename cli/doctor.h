#pragma once

namespace trestle {

struct DoctorOptions {
  double seconds = 3.0;  ///< of measuring, for each scheduling [s]
  bool json = false;
};

/// Says whether this host can do real time, and what to change. @returns the exit code:
/// complete whatever it found, for a script reads the verdict in the JSON
int doctor(const DoctorOptions& options);

}  // namespace trestle
