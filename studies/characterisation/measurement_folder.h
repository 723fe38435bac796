#pragma once

#include <string>
#include <vector>

namespace trestle::characterisation {

/// Makes the folder of a measurement's record.
/// @throws MeasurementRefusal  it holds a record already, a program serves it, or it cannot
/// be made
void make_measurement_folder(const std::string& folder, const std::string& site);

/// Looks at the folder of a measurement before its rig is opened: a measurement that cannot
/// be recorded takes the rig from nobody. Makes and opens nothing; mistakes in SITE.yaml
/// are left to load_characterisation().
/// @param file       SITE.yaml
/// @param overrides  path=value
/// @param folder     empty: a new one will be made
/// @throws MeasurementRefusal  the rig is real equipment, and the folder holds a record
/// already, or a program serves it
/// @throws ConfigError  SITE.yaml cannot be read
void check_measurement_folder(const std::string& file,
                              const std::vector<std::string>& overrides,
                              const std::string& folder);

}  // namespace trestle::characterisation
