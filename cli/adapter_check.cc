#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>

#include "adapters/plugin/conformance/conformance.h"
#include "adapters/plugin/shipped_adapter.h"
#include "cli/adapter_verbs.h"
#include "cli/exit_code.h"
#include "core/base/setting_error.h"
#include "core/timing/monotonic_clock.h"
#include "core/yaml/config_error_collector.h"
#include "core/yaml/yaml_reader.h"
#include "proto/config.pb.h"

namespace trestle {
namespace {

const char* const kProbed = "TRESTLE_ADAPTER_PROBED";

/// Begins again with the probe loaded, as the same command. Returns where there is none.
void begin_again_probed() {
  // NOLINTBEGIN(concurrency-mt-unsafe): there is no other thread yet
  if (std::getenv(kProbed) != nullptr) return;
  try {
    const std::string probe = bundled_adapter_path("adapter_probe", "probe");
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

/// In place of what the file says of this path, if it says something.
void set(std::string& settings, const std::string& path, const std::string& value) {
  std::istringstream lines(std::exchange(settings, {}));
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with(path + ":")) settings += line + "\n";
  settings += path + ": " + value + "\n";
}

/// The plug-in and its settings: of a site's own file, or named here.
ConformanceSettings settings_of(const AdapterCheckOptions& options) {
  ConformanceSettings settings;
  settings.file = options.file;
  if (is_yaml(options.file)) {
    config::SiteFile site;
    SourceMap where;
    read_yaml(options.file, {}, site, where);
    ConfigErrorCollector problems(where);
    problems.attempt([&] {
      if (!site.adapter().has_plugin())
        throw SettingError("site", "has no adapter that is a plug-in");
      const config::PluginAdapter& plugin = site.adapter().plugin();
      settings.file = plugin.has_name()
                          ? bundled_adapter_path(plugin.name(), "adapter.plugin.name")
                          : plugin.file();
      settings.settings = plugin.settings();
    });
    problems.throw_if_any();
  }
  for (const std::string& setting : options.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos)
      throw SettingError("--settings", "`" + setting + "` is no path=value");
    set(settings.settings, setting.substr(0, equals), setting.substr(equals + 1));
  }
  settings.tick = options.tick_s;
  settings.ticks = options.ticks;
  settings.amplitude = options.amplitude;
  settings.write_to_real = options.write;
  return settings;
}

const char* mark(RuleResult verdict) {
  if (verdict == RuleResult::kPassed) return "kept";
  return verdict == RuleResult::kFailed ? "BROKEN" : "-";
}

int print(const std::string& file, const std::vector<RuleOutcome>& found) {
  int broken = 0;
  int kept = 0;
  std::printf("%s\n", file.c_str());
  for (const RuleOutcome& outcome : found) {
    broken += outcome.verdict == RuleResult::kFailed ? 1 : 0;
    kept += outcome.verdict == RuleResult::kPassed ? 1 : 0;
    std::printf("  %-4s %-7s %s%s%s\n", outcome.rule.c_str(), mark(outcome.verdict),
                outcome.what.c_str(), outcome.detail.empty() ? "" : ": ",
                outcome.detail.c_str());
  }
  std::printf(
      "%d of %d checks kept, %d broken; the rules stand in "
      "trestle/site_adapter_abi.h\n",
      kept, static_cast<int>(found.size()), broken);
  return broken == 0 ? kExitComplete : kExitStopped;
}

}  // namespace

int check_adapter(const AdapterCheckOptions& options) {
  begin_again_probed();
  try {
    const ConformanceSettings settings = settings_of(options);
    MonotonicClock clock;
    return print(settings.file, check_conformance(settings, clock));
  } catch (const SettingError& error) {
    for (const SettingIssue& problem : error.problems())
      std::fprintf(stderr, "%s: %s\n", problem.path.c_str(), problem.what.c_str());
    return kExitConfiguration;
  }
}

}  // namespace trestle
