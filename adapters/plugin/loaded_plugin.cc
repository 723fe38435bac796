#include "adapters/plugin/loaded_plugin.h"

#include <array>
#include <cstdint>
#include <filesystem>

namespace trestle::plugin {
namespace {

constexpr std::uint32_t kRefusalLength = 1024;

}  // namespace

LoadedPlugin::LoadedPlugin(const std::string& file, const std::string& settings,
                           const std::string& path, Opening opening)
    : plugin_(file, path), opening_(opening) {
  if (opening == Opening::kSettings && plugin_.settings_table() == nullptr)
    throw SettingError(path, file + " reads its settings only when it opens its rig");
  std::array<char, kRefusalLength> why{};
  rig_ = table().open(settings.c_str(), why.data(), kRefusalLength);
  why.back() = '\0';
  if (rig_ == nullptr)
    throw refused_to_open(why.data(), settings,
                          std::filesystem::path(file).filename().string(), path);
}

}  // namespace trestle::plugin
