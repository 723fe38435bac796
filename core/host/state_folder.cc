#include "core/host/state_folder.h"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

namespace trestle::host {
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string home() {
  const std::string told = environment("HOME");
  if (told.starts_with('/')) return told;
  std::array<char, 4096> room{};
  passwd entry{};
  passwd* found = nullptr;
  getpwuid_r(geteuid(), &entry, room.data(), room.size(), &found);
  return found != nullptr ? std::string(found->pw_dir) : std::string();
}

}  // namespace

std::string state_folder() {
  const std::string ours = environment("TRESTLE_STATE");
  if (ours.starts_with('/')) return ours;
  if (!ours.empty())
    throw std::runtime_error("TRESTLE_STATE is " + ours +
                             "; must be an absolute path of a folder");
  // The XDG base directory specification: a relative path is invalid, and passed over.
  if (const std::string xdg = environment("XDG_STATE_HOME"); xdg.starts_with('/'))
    return xdg + "/trestle";
  const std::string place = home();
  if (place.starts_with('/')) return place + "/.local/state/trestle";
  throw std::runtime_error(
      "no folder for the state of rigs: set TRESTLE_STATE to an absolute path");
}

}  // namespace trestle::host
