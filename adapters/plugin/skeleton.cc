#include "adapters/plugin/skeleton.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "adapters/plugin/skeleton_files.h"

namespace trestle::plugin {
namespace {

bool is_name(const std::string& name) {
  return !name.empty() && std::islower(static_cast<unsigned char>(name.front())) != 0 &&
         std::all_of(name.begin(), name.end(), [](char letter) {
           const auto byte = static_cast<unsigned char>(letter);
           return std::islower(byte) != 0 || std::isdigit(byte) != 0 || letter == '_';
         });
}

/// The skeleton calls itself my_rig.
std::string renamed(std::string text, const std::string& name) {
  const std::string old_name = "my_rig";
  for (std::size_t at = 0; (at = text.find(old_name, at)) != std::string::npos;
       at += name.size())
    text.replace(at, old_name.size(), name);
  return text;
}

}  // namespace

std::vector<std::string> write_skeleton(const std::string& name,
                                        const std::string& folder) {
  if (!is_name(name))
    throw std::runtime_error("`" + name +
                             "` is no name for a plug-in; take small letters, digits and "
                             "underscores, a letter first");
  if (std::filesystem::exists(folder))
    throw std::runtime_error(folder + " exists already; nothing was written");
  std::filesystem::create_directories(folder);
  std::vector<std::string> written;
  for (const SkeletonFile& file : skeleton_files()) {
    written.push_back(folder + "/" + renamed(file.name, name));
    std::ofstream out(written.back());
    out << renamed(file.text, name);
    if (!out.flush()) throw std::runtime_error("cannot write " + written.back());
  }
  return written;
}

}  // namespace trestle::plugin
