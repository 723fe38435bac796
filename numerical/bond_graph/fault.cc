#include "numerical/bond_graph/fault.h"

#include "core/base/setting_error.h"

namespace trestle::bond_graph {

std::string coded(const std::string& sentence, const char* code) {
  return sentence + " [" + code + "]";
}

void fail(const char* code, const std::string& path, const std::string& sentence) {
  throw SettingError(path, coded(sentence, code));
}

std::string quoted(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += "`" + names[i] + "`";
  }
  return text;
}

}  // namespace trestle::bond_graph
