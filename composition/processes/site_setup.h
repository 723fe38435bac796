#pragma once

#include <memory>
#include <string>
#include <vector>

#include "composition/processes/rig_claim.h"
#include "core/bus/zmq_transport.h"
#include "core/ports/site_adapter.h"
#include "core/yaml/source_map.h"
#include "proto/config/site_file.pb.h"
#include "site-servers/node/site_settings.h"

namespace trestle::composition {

/// A laboratory's file read, checked and built. A plug-in's rig is open, claimed before.
struct SiteSetup {
  config::SiteFile file;
  yaml::SourceMap where;
  std::unique_ptr<site_node::SiteSettings> settings;
  std::unique_ptr<RigClaim> claim;  ///< null: the rig is simulated. It outlives the rig
  std::unique_ptr<SiteAdapter> rig;
  bus::SiteEndpoint endpoint;
};

/// Reads SITE.yaml and builds what a site server needs.
/// @param overrides  path=value
/// @param software   version that the node states
/// @throws ConfigError with everything that is wrong, also if another process drives the
/// rig
std::unique_ptr<SiteSetup> load_site(const std::string& file,
                                     const std::vector<std::string>& overrides,
                                     const std::string& software);

/// Reads SITE.yaml and builds the rig and the settings of the node alone: to measure the
/// rig, without the bus. `endpoint` stays empty.
/// @throws ConfigError with everything that is wrong, also if another process drives the
/// rig
std::unique_ptr<SiteSetup> load_rig(const std::string& file,
                                    const std::vector<std::string>& overrides,
                                    const std::string& software);

/// The site is reached in exactly one way: it listens, or it calls the integrator.
/// @throws SettingError
void require_one_way_to_reach(const config::SiteFile& file);

/// The loading frame moves as many actuators as the rig has. Without a `loading_frame` the
/// limits say how many.
/// @throws SettingError
void require_actuators(const site_node::SiteSettings& settings, const RigDescription& rig,
                       const config::SiteFile& file);

}  // namespace trestle::composition
