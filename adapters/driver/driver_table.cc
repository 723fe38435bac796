#include "adapters/driver/driver_table.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include "adapters/driver/driver_proxy.h"
#include "core/base/setting_error.h"

namespace trestle::driver {
namespace {

// A real rig ticks by the clock of a host that does other things, too: at most 50 ms.
constexpr std::uint32_t kOverruns = 1000;

// The functions of a table have no place for what belongs to it.
std::string driven_plugin;   // file
std::string drivers_folder;  // a folder each
int drivers_started = 0;

DriverProxy& opened(void* rig) noexcept {
  return *static_cast<DriverProxy*>(rig);
}

/// What the plug-in itself said: a site's file names the setting by its place, a table by
/// the key before a colon.
std::string own_words(const SettingIssue& problem) {
  constexpr std::string_view kPlace = ".settings.";
  if (!problem.path.starts_with(kPlace)) return problem.what;
  const std::string key = problem.path.substr(kPlace.size());
  return problem.what.starts_with(key + " ")
             ? key + ": " + problem.what.substr(key.size() + 1)
             : problem.what;
}

/// @returns null: the driver, or the plug-in in it, does not open; `why` says why
void* open_in_driver(const char* settings, char* why, std::uint32_t why_size) {
  DriverSettings wanted;
  wanted.file = driven_plugin;
  wanted.settings = settings;
  wanted.folder = drivers_folder + "/" + std::to_string(++drivers_started);
  wanted.overruns = kOverruns;
  std::string words;
  try {
    return std::make_unique<DriverProxy>(wanted, "").release();
  } catch (const SettingError& error) {
    words = own_words(error.problems().front());
  } catch (const std::exception& error) {
    words = error.what();
  }
  if (why != nullptr && why_size > 0) std::snprintf(why, why_size, "%s", words.c_str());
  return nullptr;
}

void close_driver(void* rig) {
  const std::unique_ptr<DriverProxy> proxy(&opened(rig));
  proxy->table().close(rig);
}

std::string new_folder() {
  std::string name =
      (std::filesystem::temp_directory_path() / "trestle-check-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw SettingError("isolation", name + ": the folder of a driver cannot be made (" +
                                        std::generic_category().message(errno) +
                                        "); set TMPDIR to a folder that can be written");
  return name;
}

}  // namespace

DriverTable::DriverTable(const std::string& file)
    : plugin_(std::filesystem::absolute(file).lexically_normal().string(), "file"),
      table_(DriverProxy::functions(plugin_.table().save != nullptr)) {
  driven_plugin = plugin_.file();
  drivers_folder = new_folder();
  table_.open = open_in_driver;
  table_.close = close_driver;
}

DriverTable::~DriverTable() {
  std::error_code left;
  std::filesystem::remove_all(drivers_folder, left);
}

}  // namespace trestle::driver
