#include "cli/adapter_verbs.h"

#include <cstdio>
#include <exception>
#include <filesystem>

#include "adapters/plugin/skeleton.h"
#include "cli/exit_code.h"

namespace trestle {
namespace {

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
    for (const std::string& file : write_skeleton(name, folder))
      std::printf("%s\n", file.c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  std::printf(
      "\nit works as it stands; build and test it, then put your equipment in:\n\n"
      "  cmake -S %s -B %s/build%s && cmake --build %s/build\n"
      "  ctest --test-dir %s/build --output-on-failure\n",
      folder.c_str(), folder.c_str(), package_option().c_str(), folder.c_str(),
      folder.c_str());
  return kExitComplete;
}

}  // namespace

AdapterVerbs::AdapterVerbs(CLI::App& app) {
  CLI::App* const adapter =
      app.add_subcommand("adapter", "connect your own equipment: plug-ins");
  adapter->require_subcommand(1);
  new_ = adapter->add_subcommand("new", "write a plug-in that works, to begin with");
  new_->add_option("name", name_, "its name: small letters, digits, underscores")
      ->required();
  new_->add_option("--out", folder_, "its folder; default NAME");
  check_ = adapter->add_subcommand(
      "check", "look at every rule that a plug-in must keep; real equipment is only read");
  check_->add_option("file", check_options_.file, "X.so, or SITE.yaml with an adapter")
      ->required();
  check_->add_option("--settings", check_options_.settings, "path=value, each on its own")
      ->allow_extra_args(false);
  check_->add_option("--tick", check_options_.tick_s,
                     "control tick [s]; default: the shortest that it allows");
  check_->add_option("--ticks", check_options_.ticks, "of each run")
      ->check(CLI::Range(20, 1000000));
  check_->add_option("--amplitude", check_options_.amplitude,
                     "of a simulated rig's drive [m | rad]");
  check_->add_flag("--write", check_options_.write,
                   "write to real equipment, too: that it stay where it is");
}

std::optional<int> AdapterVerbs::run() const {
  if (new_->parsed()) return new_adapter(name_, folder_.empty() ? name_ : folder_);
  if (check_->parsed()) return check_adapter(check_options_);
  return std::nullopt;
}

}  // namespace trestle
