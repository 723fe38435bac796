#include "cli/check_files.h"

#include <cstdio>

#include "cli/check_site.h"
#include "cli/exit_code.h"
#include "cli/run_folder.h"
#include "composition/hybrid_test/relay_factory.h"
#include "composition/processes/gateway_setup.h"
#include "composition/rigs/simulated_factory.h"
#include "core/yaml/config_error_collector.h"
#include "core/yaml/kind_of_file.h"
#include "core/yaml/yaml_reader.h"
#include "studies/campaign/study_factory.h"

namespace trestle {
namespace {

std::string plural(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

void check_link(const CheckOptions& options) {
  config::LinkFile file;
  SourceMap where;
  read_yaml(options.test, options.overrides, file, where);
  std::vector<RelaySettings> relays;
  ConfigErrorCollector problems(where);
  problems.attempt([&] { relays = make_relays(file); });
  problems.throw_if_any();
  for (const RelaySettings& relay : relays)
    std::printf("relay      %s: %s to %s\n", relay.name.c_str(), text(relay.listen).c_str(),
                text(relay.to).c_str());
}

void check_study(const CheckOptions& options) {
  const StudyFile file = read_study(options.test, options.overrides, software_version());
  study_plan(file);
  std::printf(
      "study      %s: %s of %s, %s drawn\n", file.study.study().c_str(),
      plural(file.study.runs(), "run").c_str(), file.study.test().c_str(),
      plural(static_cast<std::size_t>(file.study.parameters_size()), "parameter").c_str());
}

void check_gateway(const CheckOptions& options) {
  const auto setup =
      set_up_gateway(options.test, options.overrides, false, software_version());
  std::printf("gateway    %s, %s\n", setup->file.gateway().c_str(),
              plural(setup->remote.size(), "site").c_str());
}

/// A part that a site's file includes: read as it would be there.
void check_rig(const CheckOptions& options) {
  config::Rig rig;
  SourceMap where;
  read_yaml(options.test, options.overrides, rig, where);
  std::printf(
      "rig        %s; a part for `rig: {include: ...}`, check the file that includes "
      "it as well\n",
      plural(static_cast<std::size_t>(rig_actuators(rig)), "actuator").c_str());
}

}  // namespace

std::optional<int> check_other_file(const CheckOptions& options) {
  const std::string kind = yaml::kind_of_file(options.test);
  if (kind == "SiteFile") return check_site(options);
  if (kind == "LinkFile")
    check_link(options);
  else if (kind == "Study")
    check_study(options);
  else if (kind == "GatewayFile")
    check_gateway(options);
  else if (kind == "Rig")
    check_rig(options);
  else
    return std::nullopt;
  std::printf("ok         nothing is wrong in %s\n", options.test.c_str());
  return kExitComplete;
}

}  // namespace trestle
