#pragma once

#include <string>

#include "numerical/node/site_peer.h"

namespace trestle::integrator_node {

/// Returns where each limit that holds at a site is written, a line for each limit whose
/// place is known: `actuators[0].rate: site_west.yaml:12`, name of the file and line. A
/// limit of the site's own file is known from what the site has told with its agreement.
/// Not a part of the contract, whose digest no line number may change. Allocates.
std::string limit_origins(const SitePeer& peer);

}  // namespace trestle::integrator_node
