#include "studies/identification/identification_text.h"

#include <cmath>
#include <cstdio>

#include "studies/identification/residual_test.h"

namespace trestle::identification {
namespace {

template <typename... Values>
std::string line(const char* format, Values... values) {
  char text[400];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string percent(double ratio) {
  if (!std::isfinite(ratio) || ratio > 99.995) return "> 9999 %";
  return line(ratio < 0.0995 ? "%.2g %%" : "%.0f %%", 100.0 * ratio);
}

/// `9 987 kg ± 0.2 %`
std::string row(const FoundParameter& found, bool truth) {
  std::string text = line(
      "%-27s %-4s %11.5g %-8s ± %-9s %-9s %-4s", found.name.c_str(), found.symbol.c_str(),
      found.estimate, unit_of(found.quantity).c_str(),
      percent(found.deviation / found.estimate).c_str(),
      percent(found.bound / found.estimate).c_str(), found.identifiable ? "yes" : "NO");
  if (truth && found.truth) {
    const double off = 100.0 * (found.estimate / *found.truth - 1.0);
    text += line(std::abs(off) < 99.5 ? " %11.5g  %+.2g %%" : " %11.5g  %+.0f %%",
                 *found.truth, off);
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text + "\n";
}

std::string signed_percent(double ratio) {
  if (!std::isfinite(ratio)) return "unknown";
  return line(std::abs(ratio) < 0.995 ? "%+.2g %%" : "%+.0f %%", 100.0 * ratio);
}

std::string not_identifiable(const IdentificationResult& result) {
  std::string names;
  for (const FoundParameter& found : result.parameters)
    if (!found.identifiable) names += (names.empty() ? "" : ", ") + found.name;
  if (result.road && !result.explained)
    names += (names.empty() ? "" : ", ") + std::string("road");
  if (names.empty()) return {};
  return "NOT IDENTIFIABLE from these readings: " + names +
         ". Their numbers mean nothing; see docs/howto/identify-a-vehicle.md for what "
         "helps.\n";
}

std::string noise_line(const IdentificationStudy& study,
                       const IdentificationResult& result) {
  const char* of = study.problem.noise.kind == NoiseKind::kOfPeak ? "of each sensor's peak"
                                                                  : "of each reading";
  std::string text =
      result.noise_stated
          ? line("noise       %.3g %% %s as stated; the residual is %.2f times that\n",
                 100.0 * result.noise_level, of, result.misfit)
          : line("noise       %.3g %% %s, from the residual\n", 100.0 * result.noise_level,
                 of);
  if (result.most_misfit > 0.0)
    text += line(
        "            chi-square test of %.0f degrees of freedom: up to %.3f times, which "
        "one right model in %.0f exceeds\n",
        result.freedom, result.most_misfit, 1.0 / kResidualSignificance);
  if (!result.explained)
    text +=
        "            THE MODEL DOES NOT EXPLAIN THE READINGS: the residual is no noise. "
        "Road, "
        "speed, entry and bridge are to be doubted.\n";
  return text;
}

/// What the way by the nodes loses, and the fit on the strains beside it.
std::string nodal_rows(const IdentificationResult& result) {
  std::string text =
      "\nby the nodes                     bias of it     fit on the strains\n";
  const auto add = [&](const FoundParameter& found) {
    if (found.bias)
      text += line("%-27s %-4s %11s %12.5g %s\n", found.name.c_str(), found.symbol.c_str(),
                   signed_percent(*found.bias / found.estimate).c_str(),
                   found.directly.value_or(0.0), unit_of(found.quantity).c_str());
  };
  for (const FoundParameter& found : result.parameters) add(found);
  if (result.total_mass) add(*result.total_mass);
  return text;
}

}  // namespace

std::string nodes_text(const NodalSummary& nodal) {
  const std::string motions =
      line("of the %td independent motions of the nodes", nodal.motions);
  const std::string gauges =
      line("The %td gauge%s", nodal.gauges, nodal.gauges == 1 ? "" : "s");
  if (nodal.determined == nodal.motions)
    return gauges +
           line(" determine all %td independent motions of the nodes.", nodal.motions);
  return gauges +
         line(" determine%s only %td ", nodal.gauges == 1 ? "s" : "", nodal.determined) +
         motions + "; regularisation decides the others.";
}

std::string unit_of(VehicleQuantity quantity) {
  switch (quantity) {
    case VehicleQuantity::kMass:
      return "kg";
    case VehicleQuantity::kInertia:
      return "kg.m2";
    case VehicleQuantity::kDamping:
      return "N.s/m";
    case VehicleQuantity::kStiffness:
      return "N/m";
  }
  return {};
}

std::string identification_text(const IdentificationStudy& study,
                                const IdentificationResult& result) {
  Eigen::Index readings = 0;
  for (const RecordedPass& pass : study.problem.passes) readings += pass.measured.size();
  const std::size_t passes = study.problem.passes.size();
  std::string text = line(
      "%s    %zu pass%s, %zu sensor%s, %td readings\n", study.name.c_str(), passes,
      passes == 1 ? "" : "es", study.problem.passes.front().passage->sensors().size(),
      study.problem.passes.front().passage->sensors().size() == 1 ? "" : "s", readings);
  text += line("method      %s, %d iterations%s; condition number %.2g\n",
               study.method_name.c_str(), result.iterations,
               result.converged ? "" : ", NOT CONVERGED", result.condition_number);
  if (result.nodal)
    text += line("nodes       %d functions of time; %s\n", result.nodal->order,
                 nodes_text(*result.nodal).c_str());
  text += noise_line(study, result);
  text +=
      "\nparameter                           estimate           sd        bound     "
      "identifiable";
  const bool truth = !study.truth.empty();
  text += truth ? "     truth   error\n" : "\n";
  for (const FoundParameter& found : result.parameters) text += row(found, truth);
  if (result.total_mass) text += row(*result.total_mass, truth);
  if (result.nodal) text += nodal_rows(result);
  if (result.road)
    text += line("road                        r    %11.3g m RMS    ± %.2g m%s\n",
                 std::sqrt(result.road->height.squaredNorm() /
                           static_cast<double>(result.road->height.size())),
                 std::sqrt(result.road->deviation.squaredNorm() /
                           static_cast<double>(result.road->deviation.size())),
                 result.road->error ? line("%38s%.2g %% of the true one's RMS off", "",
                                           100.0 * *result.road->error)
                                          .c_str()
                                    : "");
  const std::string lost = not_identifiable(result);
  return lost.empty() ? text : text + "\n" + lost;
}

}  // namespace trestle::identification
