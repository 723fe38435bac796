#include "adapters/plugin/shipped_adapter.h"

#include <filesystem>
#include <vector>

#include "core/base/setting_error.h"

namespace trestle::plugin {

std::string bundled_adapter_path(const std::string& name, const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  const std::string file = name + ".so";
  // TRESTLE_ADAPTER_FOLDER leads from the program's folder to that of the plug-ins. In a
  // build tree, wherever it was moved, they are beside cli/; tests know its original place.
  const std::vector<fs::path> places{program / TRESTLE_ADAPTER_FOLDER / file,
                                     program / "../adapters" / name / file,
                                     fs::path(TRESTLE_BUILD_FOLDER) / name / file};
  if (name.find('/') == std::string::npos)
    for (const fs::path& place : places)
      if (fs::exists(place, unknown)) return fs::weakly_canonical(place, unknown).string();
  throw SettingError(path, "no plug-in " + name + " came with this program; looked in " +
                               places[0].parent_path().lexically_normal().string() +
                               " and, of a build tree, " +
                               places[1].parent_path().lexically_normal().string() +
                               ". A plug-in of your own is named by `file:`");
}

}  // namespace trestle::plugin
