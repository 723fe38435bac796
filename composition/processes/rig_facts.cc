#include "composition/processes/rig_facts.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <utility>

#include "core/base/lasting_file.h"

namespace trestle::composition {
namespace {

constexpr std::array kFacts{
    std::pair{"site: ", &RigFacts::site}, std::pair{"rig: ", &RigFacts::rig},
    std::pair{"serves: ", &RigFacts::serves}, std::pair{"process: ", &RigFacts::process},
    std::pair{"by: ", &RigFacts::by}};

}  // namespace

std::string path_of_facts(const std::string& place) {
  return place + "/rig";
}

RigFacts read_facts(const std::string& place) {
  RigFacts facts;
  std::ifstream file(path_of_facts(place));
  for (std::string line; std::getline(file, line);)
    for (const auto& [key, fact] : kFacts)
      if (line.starts_with(key)) facts.*fact = line.substr(std::string(key).size());
  return facts;
}

RigFacts facts_of_driver(const std::string& place) {
  const int file = open((place + "/lock").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const bool driven = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(file);
  return driven ? read_facts(place) : RigFacts{};
}

void keep_facts(const std::string& place, const RigFacts& facts) {
  std::string text;
  for (const auto& [key, fact] : kFacts) text += key + facts.*fact + "\n";
  keep_file(path_of_facts(place), text);
}

}  // namespace trestle::composition
