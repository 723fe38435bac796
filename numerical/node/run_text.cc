#include "numerical/node/run_text.h"

#include <cstdio>

#include "core/session/limit_field.h"

namespace trestle::run_text {

std::string duration(Duration duration) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.3g s", seconds(duration));
  return digits;
}

std::string test_limit_note(const SiteInTest& site, const Fault& fault) {
  if (!site.limit_place || !states_limit(fault, site.limits, site.layout)) return {};
  return " (limit of the test, " + site.limit_place(limit_field(fault)) + ")";
}

}  // namespace trestle::run_text
