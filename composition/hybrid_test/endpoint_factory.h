#pragma once

#include <string>
#include <vector>

#include "core/bus/zmq_transport.h"
#include "core/yaml/source_map.h"
#include "proto/config/site_file.pb.h"
#include "proto/config/test.pb.h"

namespace trestle::composition {

/// Makes the ends of the bus from the configuration, with the protection that it requests
/// (docs/explanation/security.md). The functions read the node's key file.

/// Makes the integrator's end of the bus for the sites in other processes, in the order of
/// the test; without such sites, `sites` is empty.
/// @throws ConfigError with all problems
bus::IntegratorEndpoint integrator_endpoint(const config::Test& test,
                                            const yaml::SourceMap& where);

/// Checks the addresses of sites in other processes and the listening address; reads no key
/// and contacts no host.
/// @throws ConfigError with all invalid ones
void check_addresses(const config::Test& test, const yaml::SourceMap& where);

/// @throws SettingError
bus::SiteEndpoint site_endpoint(const config::SiteFile& file);

/// Describes the connection to site `index`, human-readable: "by key", "plain, on this
/// machine", "insecure, ...", "in this process".
std::string describe_connection(const config::Test& test, int index);

}  // namespace trestle::composition
