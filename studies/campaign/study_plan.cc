#include "studies/campaign/study_plan.h"

#include <cmath>

#include "core/base/number_text.h"

namespace trestle::campaign {
namespace {

std::string written(const VariedField& place, bool is_factor, double drawn) {
  std::string text = place.path + "=";
  if (place.is_list) text += "[";
  for (std::size_t i = 0; i < place.nominal.size(); ++i) {
    if (i > 0) text += ", ";
    const double value = is_factor ? place.nominal[i] * drawn : drawn;
    append_number(text, place.is_whole ? std::round(value) : value);
  }
  if (place.is_list) text += "]";
  return text;
}

}  // namespace

std::vector<double> drawn_values(const StudyPlan& plan, std::int64_t run) {
  return plan.design->values(run);
}

std::vector<std::string> drawn_overrides(const StudyPlan& plan, std::int64_t run) {
  std::vector<std::string> overrides;
  if (run == 0) return overrides;
  const std::vector<double> values = drawn_values(plan, run);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (const VariedField& place : plan.parameters[i].places)
      overrides.push_back(written(place, plan.parameters[i].is_factor, values[i]));
  return overrides;
}

}  // namespace trestle::campaign
