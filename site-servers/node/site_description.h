#pragma once

#include "core/ports/site_adapter.h"
#include "core/types/message.h"
#include "site-servers/node/site_settings.h"

namespace trestle::site_node {

/// The site as it describes itself in Hello and contract.
SiteDescription describe_site(const SiteSettings& settings, const RigDescription& rig);

}  // namespace trestle::site_node
