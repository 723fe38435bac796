#pragma once

#include <string>
#include <vector>

#include "core/bus/zmq_transport.h"
#include "core/yaml/source_map.h"
#include "proto/config/site_file.pb.h"
#include "proto/config/test.pb.h"

namespace trestle {

/// From the configuration to the ends of the bus, guarded as it says
/// (docs/explanation/security.md). They read the node's key file.

/// The integrator's end, of the sites in other processes, in the order of the test; with
/// none of them its `sites` are empty.
/// @throws ConfigError with everything that is wrong at once
IntegratorEndpoint integrator_endpoint(const config::Test& test, const SourceMap& where);

/// Compares the addresses of sites in other processes, and the one to listen at, with what
/// an address must be; reads no key and asks nobody.
/// @throws ConfigError with all that are none
void check_addresses(const config::Test& test, const SourceMap& where);

/// @throws SettingError
SiteEndpoint site_endpoint(const config::SiteFile& file);

/// How site `index` of the test is reached, for people: "by key", "plain, on this machine",
/// "insecure, ...", "in this process".
std::string describe_connection(const config::Test& test, int index);

}  // namespace trestle
