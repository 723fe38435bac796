#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/software_version.h"
#include "core/base/lasting_file.h"
#include "core/yaml/config_error.h"
#include "core/yaml/dimensions.h"
#include "studies/pushover/pushover_results.h"

namespace trestle::cli {
namespace {

constexpr int kMostSteps = 100000;

struct PushoverOptions {
  std::string file;
  std::vector<std::string> overrides;  ///< path=value
  std::string node;
  std::string to;
  int steps = 200;
  std::string pattern = "mass";
  std::string csv;
  std::string svg;
  bool json = false;
};

pushover::PushoverSettings pushover_settings(const PushoverOptions& options) {
  static const std::map<std::string, pushover::Pattern> kPatterns{
      {"mass", pushover::Pattern::kMass},
      {"mode1", pushover::Pattern::kMode1},
      {"loads", pushover::Pattern::kLoads}};
  const auto pattern = kPatterns.find(options.pattern);
  if (pattern == kPatterns.end())
    throw std::runtime_error("--pattern: `" + options.pattern +
                             "` is not known; take mass, mode1 or loads");
  const Result<yaml::Quantity> to = yaml::read_quantity(options.to, config::LENGTH);
  if (!to) throw std::runtime_error("--to: " + to.error().detail);
  if (!std::isfinite(to.value().value) || to.value().value == 0.0)
    throw std::runtime_error("--to: " + options.to +
                             " is no way; give a displacement, as `200 mm`");
  if (options.steps < 1 || options.steps > kMostSteps)
    throw std::runtime_error("--steps: " + std::to_string(options.steps) +
                             " is not within 1 to " + std::to_string(kMostSteps));
  return {.dof = options.node,
          .displacement = to.value().value,
          .steps = options.steps,
          .pattern = pattern->second};
}

int push(const PushoverOptions& options) {
  const pushover::PushoverCurve curve = pushover::push_over_file(
      options.file, options.overrides, software_version(), pushover_settings(options));
  if (!options.csv.empty())
    exports::write_table_csv(pushover::pushover_table(curve), options.csv);
  if (!options.svg.empty()) keep_file(options.svg, pushover::pushover_svg(curve));
  std::fputs(
      (options.json ? pushover::pushover_json(curve) : pushover::pushover_text(curve))
          .c_str(),
      stdout);
  return curve.ended.empty() ? kExitComplete : kExitStopped;
}

}  // namespace

void add_pushover_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<PushoverOptions>();
  CLI::App* const verb =
      app.add_subcommand("pushover", "push the structure of a test to a displacement");
  verb->add_option("test", options->file, "TEST.yaml")->required();
  add_override_option(*verb, options->overrides);
  verb->add_option("--node", options->node, "the translation to push: roof.x")->required();
  verb->add_option("--to", options->to, "displacement beyond gravity: 200 mm")->required();
  verb->add_option("--steps", options->steps, "equal steps; default 200");
  verb->add_option("--pattern", options->pattern,
                   "proportions of the loads: mass, mode1 or loads; default mass");
  verb->add_option("--csv", options->csv, "FILE.csv of the curve and the specimens");
  verb->add_option("--svg", options->svg, "FILE.svg: base shear and forces of specimens");
  verb->add_flag("--json", options->json, "print all numbers as JSON");
  commands.add(verb, [options] {
    try {
      return push(*options);
    } catch (const yaml::ConfigError&) {
      throw;  // all its lines are printed where all commands end
    } catch (const std::runtime_error& error) {  // an option, no room, no such DOF
      std::fprintf(stderr, "%s\n", error.what());
      return static_cast<int>(kExitConfiguration);
    }
  });
}

}  // namespace trestle::cli
