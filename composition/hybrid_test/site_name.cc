#include "composition/hybrid_test/site_name.h"

#include <algorithm>

namespace trestle::composition {
namespace {

constexpr std::size_t kLongest = 64;  // bytes

}  // namespace

std::string site_name_problem(const std::string& name) {
  const std::string quoted = "`" + name + "`";
  if (name == "journal" || name == "integrator")
    return "a site cannot be called " + quoted +
           ", for the integrator's own record is; choose another name";
  if (name.size() > kLongest)
    return "the name " + quoted + " has " + std::to_string(name.size()) +
           " characters; must have at most " + std::to_string(kLongest);
  const bool forbidden = std::ranges::any_of(name, [](unsigned char letter) {
    return letter < ' ' || letter == 0x7f || letter == '/' || letter == '\\' ||
           letter == ':' || letter == '*' || letter == '?' || letter == '"' ||
           letter == '<' || letter == '>' || letter == '|';
  });
  if (forbidden || name.starts_with('.') || name.starts_with('-') || name.ends_with(' ') ||
      name.starts_with(' '))
    return quoted +
           " cannot be the name of a site, for it names a file, too; use letters, digits, "
           "`_` and `-`, and begin with a letter or a digit";
  return {};
}

}  // namespace trestle::composition
