#pragma once

#include <memory>
#include <string>
#include <vector>

#include "composition/hybrid_test/substructure_factory.h"
#include "composition/processes/hybrid_test_nodes.h"
#include "core/yaml/config_error.h"
#include "core/yaml/override.h"
#include "core/yaml/source_map.h"
#include "numerical/node/integrator_settings.h"
#include "proto/config/test.pb.h"

namespace trestle::composition {

/// A test read, checked and built, as far as it can be without touching anything.
struct HybridTestSetup {
  config::Test test;
  yaml::SourceMap where;
  SubstructureReport report;
  std::unique_ptr<NumericalSubstructure> substructure;
  integrator_node::IntegratorSettings integrator;
  std::vector<LocalSite> sites_here;  ///< without recorders
  std::vector<bool> remote;           ///< per site of the test
};

/// Reads TEST.yaml and builds all its parts.
/// @param software  the version that its nodes report
/// @param start     kResumed: the file is `effective.yaml` of a run that was interrupted
/// @throws ConfigError with all problems
std::unique_ptr<HybridTestSetup> load_hybrid_test(
    const std::string& file, const std::vector<yaml::Override>& overrides,
    const std::string& software, TestStart start = TestStart::kNew);

/// 128 random bits from the system.
SessionId new_session();

}  // namespace trestle::composition
