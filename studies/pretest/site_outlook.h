#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace trestle::pretest {

/// The findings about a laboratory's file.
struct SiteOutlook {
  std::string site;
  std::string listen;      ///< address for the integrator; empty: the site connects
  std::string integrator;  ///< address that the site calls; empty: it listens
  std::string plugin;      ///< file of the plug-in that was loaded; empty: a simulated rig
  /// The rig is described: simulated, or by the plug-in's settings. If not, the plug-in
  /// reads them only when it opens the rig, and neither they nor the rig are judged.
  bool described = false;
  std::size_t actuators = 0;
  std::size_t load_cells = 0;  ///< at force-only DOFs; 0 if the rig is not described
  std::vector<std::string> without_limit;  ///< "rate 1": what no limit is stated for
  std::string answered_for;                ///< "Ada answers for it: why"; empty: nobody
  std::vector<std::string> must_change;  ///< why `trestle site` does not serve, with places
  std::vector<std::string> doubtful;     ///< numbers of doubtful_numbers()
  std::vector<std::string> unreached;    ///< why the site server would not listen or call
  std::vector<std::string> expired;      ///< calibrations, a sentence each
  std::vector<std::string> uncalibrated;  ///< "1.force"; only if the rig may be real
};

/// Reads and builds what the site server would. Loads its plug-in, and reads the settings
/// of one that came with the program, without opening the rig, which another process may be
/// driving.
/// @param overrides  path=value
/// @throws ConfigError with everything that is wrong
SiteOutlook outlook_of_site(const std::string& file,
                            const std::vector<std::string>& overrides,
                            const std::string& software);

/// Reads a file with a rig alone, a part that a site's file includes, as it would be there.
/// @returns its number of actuators
/// @throws ConfigError with everything that is wrong
std::size_t actuators_of_rig_file(const std::string& file,
                                  const std::vector<std::string>& overrides);

}  // namespace trestle::pretest
