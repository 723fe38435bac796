#include "cli/commands/operated_folder.h"

#include <filesystem>
#include <optional>
#include <vector>

#include "composition/processes/rig_place.h"
#include "composition/processes/run_folder.h"
#include "gateway/operator/operator_socket.h"

namespace trestle::cli {

std::string operated_folder(const std::string& where) {
  namespace fs = std::filesystem;
  std::vector<std::string> folders{where,
                                   "runs/site-" + composition::to_folder_name(where)};
  if (const std::optional<composition::KnownRig> rig = composition::known_rig(where))
    folders.push_back(rig->serves);
  std::error_code none;
  for (const std::string& folder : folders)
    if (fs::exists(folder + "/" + operators::kOperatorSocket, none)) return folder;
  for (const std::string& folder : folders)
    if (fs::is_directory(folder, none)) return folder;
  return {};
}

std::string no_folder(const std::string& where) {
  return "there is no folder " + where + ", and none of a site runs/site-" +
         composition::to_folder_name(where);
}

}  // namespace trestle::cli
