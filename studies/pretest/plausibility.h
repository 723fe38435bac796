#pragma once

#include <string>
#include <vector>

#include "core/yaml/source_map.h"
#include "proto/config/gateway.pb.h"
#include "proto/config/site_file.pb.h"
#include "proto/config/test.pb.h"

namespace trestle::pretest {

/// Finds numbers that a file may have, but that mostly are slips: a limit of 60 m where 60
/// mm were meant, a frame in millimetres. `check` and the start of a run, of a site, of a
/// gateway and of a measurement show them; nothing is refused for them.
/// @returns one sentence each, `file:line:col: ...`
std::vector<std::string> doubtful_numbers(const config::Test& test,
                                          const yaml::SourceMap& where);
std::vector<std::string> doubtful_numbers(const config::SiteFile& file,
                                          const yaml::SourceMap& where);
std::vector<std::string> doubtful_numbers(const config::GatewayFile& file,
                                          const yaml::SourceMap& where);

}  // namespace trestle::pretest
