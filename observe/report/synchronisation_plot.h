#pragma once

#include <string>
#include <vector>

#include "observe/records/synchronisation_record.h"

namespace trestle::report {

/// Synchronisation subspace plots as SVG: one square per port, measured against wanted
/// motion, from pale (early) to dark (late), the line of perfect synchronisation behind it
/// and the numbers below.
std::string synchronisation_svg(const std::vector<records::SynchronisedPort>& ports,
                                const std::string& title);

}  // namespace trestle::report
