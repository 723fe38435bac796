#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "adapters/driver/driver_table.h"
#include "adapters/driver/hello.h"
#include "adapters/plugin/conformance/conformance.h"
#include "adapters/plugin/shipped_adapter.h"
#include "adapters/plugin/skeleton.h"
#include "cli/commands/commands.h"
#include "cli/terminal/exit_code.h"
#include "composition/processes/rig_claim.h"
#include "composition/processes/site_plugin.h"
#include "core/base/setting_error.h"
#include "core/base/shell_word.h"
#include "core/timing/monotonic_clock.h"
#include "core/yaml/config_error.h"

namespace trestle::cli {
namespace {

struct AdapterCheckOptions {
  std::string file;                   ///< X.so, or a SITE.yaml with an adapter
  std::vector<std::string> settings;  ///< path=value
  double tick_s = 0.0;                ///< 0: the shortest that it allows
  int ticks = 2000;
  double amplitude = 1e-3;
  bool write = false;     ///< to real equipment, too: the drive in force
  std::string isolation;  ///< "none" or "process"; empty: as the site's file says
};

struct NewAdapterOptions {
  std::string name;
  std::string folder;  ///< empty: the name
};

const char* const kProbed = "TRESTLE_ADAPTER_PROBED";

/// Restarts the same command with the probe loaded. Returns if no probe is installed.
void begin_again_probed() {
  // NOLINTBEGIN(concurrency-mt-unsafe): there is no other thread yet
  if (std::getenv(kProbed) != nullptr) return;
  try {
    const std::string probe = plugin::bundled_adapter_path("adapter_probe", "probe");
    std::ifstream own("/proc/self/cmdline", std::ios::binary);
    std::string words((std::istreambuf_iterator<char>(own)), {});
    std::vector<char*> arguments;
    for (std::size_t at = 0; at < words.size(); at = words.find('\0', at) + 1)
      arguments.push_back(words.data() + at);
    arguments.push_back(nullptr);
    setenv(kProbed, "1", 1);
    setenv("LD_PRELOAD", probe.c_str(), 1);
    execv("/proc/self/exe", arguments.data());
    unsetenv("LD_PRELOAD");
    // NOLINTEND(concurrency-mt-unsafe)
  } catch (const SettingError&) {
    // A build with sanitizers has none.
  }
}

bool is_yaml(const std::string& file) {
  return file.ends_with(".yaml") || file.ends_with(".yml");
}

/// Replaces the file's value of this path, if it has one.
void set(std::string& settings, const std::string& path, const std::string& value) {
  std::istringstream lines(std::exchange(settings, {}));
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with(path + ":")) settings += line + "\n";
  settings += path + ": " + value + "\n";
}

/// The plug-in and its settings: of a site's own file, or named here.
composition::SitePlugin plugin_of(const AdapterCheckOptions& options) {
  composition::SitePlugin plugin;
  plugin.file = options.file;
  if (is_yaml(options.file)) plugin = composition::plugin_of_site(options.file);
  for (const std::string& setting : options.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos)
      throw SettingError("--settings", "`" + setting + "` is no path=value");
    set(plugin.settings, setting.substr(0, equals), setting.substr(equals + 1));
  }
  return plugin;
}

conformance::ConformanceSettings settings_of(const composition::SitePlugin& plugin,
                                             const AdapterCheckOptions& options) {
  conformance::ConformanceSettings settings;
  settings.file = plugin.file;
  settings.settings = plugin.settings;
  settings.tick = options.tick_s;
  settings.ticks = options.ticks;
  settings.amplitude = options.amplitude;
  settings.write_to_real = options.write;
  return settings;
}

const char* mark(conformance::RuleResult verdict) {
  if (verdict == conformance::RuleResult::kPassed) return "kept";
  if (verdict == conformance::RuleResult::kRefused) return "NOT RUN";
  return verdict == conformance::RuleResult::kFailed ? "BROKEN" : "-";
}

int print_outcomes(const std::string& file,
                   const std::vector<conformance::RuleOutcome>& found) {
  int broken = 0;
  int kept = 0;
  bool refused = false;
  std::printf("%s\n", file.c_str());
  for (const conformance::RuleOutcome& outcome : found) {
    broken += outcome.verdict == conformance::RuleResult::kFailed ? 1 : 0;
    kept += outcome.verdict == conformance::RuleResult::kPassed ? 1 : 0;
    refused = refused || outcome.verdict == conformance::RuleResult::kRefused;
    std::printf("  %-4s %-7s %s%s%s\n", outcome.rule.c_str(), mark(outcome.verdict),
                outcome.what.c_str(), outcome.detail.empty() ? "" : ": ",
                outcome.detail.c_str());
  }
  std::printf(
      "%d of %d checks kept, %d broken; the rules stand in "
      "trestle/site_adapter_abi.h\n",
      kept, static_cast<int>(found.size()), broken);
  if (broken > 0) return kExitStopped;
  return refused ? kExitConfiguration : kExitComplete;
}

/// A driver process outlives its site, and keeps the rig until a site takes it up.
void refuse_beside_driver(const composition::RigIdentity& identity) {
  if (identity.equipment.empty() ||
      !driver::call_driver(composition::driver_folder_of(identity)))
    return;
  throw std::runtime_error(
      "a driver process holds the rig (" + identity.rig +
      ") of a site that ended; start that site again, which takes it up, or end the driver "
      "(trestle-driver) first: then only the equipment itself holds the rig");
}

int check_adapter(const AdapterCheckOptions& options) {
  begin_again_probed();
  try {
    const composition::SitePlugin plugin = plugin_of(options);
    // Before anything is loaded: open() may take the rig away from the process that drives
    // it.
    const composition::RigIdentity identity = composition::identity_of(plugin);
    auto claim = std::make_unique<composition::RigClaim>(identity);
    refuse_beside_driver(identity);
    conformance::ConformanceSettings settings = settings_of(plugin, options);
    settings.described = [&claim](bool real_equipment) {
      composition::keep_if_real(claim, real_equipment);
    };
    std::optional<driver::DriverTable> drivers;
    if (options.isolation.empty() ? plugin.in_driver : options.isolation == "process")
      settings.through = &drivers.emplace(settings.file).table();
    timing::MonotonicClock clock;
    return print_outcomes(settings.file, conformance::check_conformance(settings, clock));
  } catch (const SettingError& error) {
    for (const SettingIssue& problem : error.problems())
      std::fprintf(stderr, "%s: %s\n", problem.path.c_str(), problem.what.c_str());
    return kExitConfiguration;
  } catch (const yaml::ConfigError&) {
    throw;  // all its lines are printed where all commands end
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
}

/// ` -Dtrestle_DIR=FOLDER` for a program that runs from its build tree, where find_package
/// would not look; empty for an installed one.
std::string package_option() {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  const fs::path package =
      (program.parent_path() / "../package/build_tree").lexically_normal();
  if (none || !fs::exists(package / "trestleConfig.cmake", none)) return {};
  return " -Dtrestle_DIR=" + package.string();
}

int new_adapter(const std::string& name, const std::string& folder) {
  try {
    for (const std::string& file : plugin::write_skeleton(name, folder))
      std::printf("%s\n", file.c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  const std::string word = shell_word(folder);
  std::printf(
      "\nit works as it stands; build and test it, then put your equipment in:\n\n"
      "  cmake -S %s -B %s/build%s && cmake --build %s/build\n"
      "  ctest --test-dir %s/build --output-on-failure\n",
      word.c_str(), word.c_str(), package_option().c_str(), word.c_str(), word.c_str());
  return kExitComplete;
}

}  // namespace

void add_adapter_commands(CLI::App& app, CommandList& commands) {
  CLI::App* const adapter =
      app.add_subcommand("adapter", "connect your own equipment: plug-ins");
  adapter->require_subcommand(1);
  const auto skeleton = std::make_shared<NewAdapterOptions>();
  CLI::App* const made =
      adapter->add_subcommand("new", "write a plug-in that works, to begin with");
  made->add_option("name", skeleton->name, "its name: small letters, digits, underscores")
      ->required();
  made->add_option("--out", skeleton->folder, "its folder; default NAME");
  commands.add(made, [skeleton] {
    return new_adapter(skeleton->name,
                       skeleton->folder.empty() ? skeleton->name : skeleton->folder);
  });

  const auto options = std::make_shared<AdapterCheckOptions>();
  CLI::App* const check = adapter->add_subcommand(
      "check", "look at every rule that a plug-in must keep; real equipment is only read");
  check->add_option("file", options->file, "X.so, or SITE.yaml with an adapter")
      ->required();
  check->add_option("--settings", options->settings, "path=value, each on its own")
      ->allow_extra_args(false);
  check->add_option("--tick", options->tick_s,
                    "control tick [s]; default: the shortest that it allows");
  check->add_option("--ticks", options->ticks, "of each run")
      ->check(CLI::Range(20, 1000000));
  check->add_option("--amplitude", options->amplitude,
                    "of a simulated rig's drive [m | rad]");
  check->add_flag(
      "--write", options->write,
      "write to real equipment, too: the drive that it reports in force; exit code 2 "
      "if it reports none");
  check
      ->add_option("--isolation", options->isolation,
                   "where the plug-in runs: none: in this process; process: in a driver; "
                   "default: as SITE.yaml says, of X.so none")
      ->check(CLI::IsMember({"none", "process"}));
  commands.add(check, [options] { return check_adapter(*options); });
}

}  // namespace trestle::cli
