#pragma once

#include <string>

namespace trestle::composition {

/// The file `rig` in a rig's place: who drives it, or drove it last, and where.
struct RigFacts {
  std::string site;
  std::string rig;
  std::string serves;   ///< folder of the operators' socket
  std::string process;  ///< its number
  std::string by;       ///< the person behind it
};

/// @param place  of the rig
std::string path_of_facts(const std::string& place);
/// @returns empty texts if there is no such file
RigFacts read_facts(const std::string& place);
/// The same if a process drives the rig from this state folder, also one of another network
/// or container, which the host's claim does not see. @returns empty texts: none does
RigFacts facts_of_driver(const std::string& place);
/// @throws std::runtime_error  the file cannot be written
void keep_facts(const std::string& place, const RigFacts& facts);

}  // namespace trestle::composition
