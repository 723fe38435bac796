#pragma once

#include <memory>
#include <string>
#include <vector>

#include "composition/processes/local_site.h"
#include "core/yaml/override.h"
#include "core/yaml/source_map.h"
#include "gateway/openfresco_server/gateway_settings.h"
#include "numerical/node/integrator_settings.h"
#include "proto/config/gateway.pb.h"
#include "proto/config/test.pb.h"

namespace trestle::composition {

/// The file of a gateway as a test whose model and excitation belong to the client.
struct GatewaySetup {
  config::GatewayFile file;
  yaml::SourceMap where;
  config::Test test;  ///< its fields stand where they stand in the file
  openfresco_server::GatewaySettings settings;
  integrator_node::IntegratorSettings
      integrator;            ///< of each client's test, but for its session
  std::vector<bool> remote;  ///< per site
  std::string software;      ///< version, as its sites say it
  /// Of the real rigs here: between two clients no other process takes them.
  std::vector<std::unique_ptr<RigClaim>> claims;
};

/// @param overrides  path=value
/// @param datagrams  the client uses UDP
/// @throws ConfigError with all problems
std::unique_ptr<GatewaySetup> set_up_gateway(const std::string& file,
                                             const std::vector<std::string>& overrides,
                                             bool datagrams, const std::string& software);

/// The sites in this process, new for each client.
std::vector<LocalSite> gateway_sites(const GatewaySetup& setup);

}  // namespace trestle::composition
