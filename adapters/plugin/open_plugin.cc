#include "adapters/plugin/open_plugin.h"

namespace trestle::plugin {

SettingError refused_to_open(const std::string& words, const std::string& settings,
                             const std::string& name, const std::string& path) {
  const std::string said = words.empty() ? "it does not say why" : words;
  const std::size_t colon = words.find(": ");
  if (colon != std::string::npos) {
    const std::string key = words.substr(0, colon);
    if (("\n" + settings).find("\n" + key + ": ") != std::string::npos)
      return {path + ".settings." + key, key + " " + words.substr(colon + 2)};
  }
  return {path + ".settings", "the plug-in " + name + " refuses to open: " + said};
}

}  // namespace trestle::plugin
