#include "core/host/system_file.h"

#include <fstream>
#include <iterator>

namespace trestle::host {

std::optional<std::string> system_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) return std::nullopt;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace trestle::host
