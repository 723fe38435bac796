#include "studies/identification/identification_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "studies/identification/identification_text.h"
#include "studies/identification/residual_test.h"

namespace trestle::identification {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json as_json(const FoundParameter& found) {
  Json json;
  if (!found.symbol.empty()) json["symbol"] = found.symbol;
  json["unit"] = unit_of(found.quantity);
  json["guess"] = found.guess;
  json["estimate"] = number(found.estimate);
  json["standard_deviation"] = number(found.deviation);
  json["bound"] = number(found.bound);
  json["relative_bound"] = number(found.bound / found.estimate);
  if (found.bias) json["relative_bias"] = number(*found.bias / found.estimate);
  if (found.directly) json["estimate_by_strain"] = number(*found.directly);
  json["identifiable"] = found.identifiable;
  if (found.truth) {
    json["truth"] = *found.truth;
    json["relative_error"] = number(found.estimate / *found.truth - 1.0);
  }
  return json;
}

}  // namespace

std::string identification_json(const IdentificationStudy& study,
                                const IdentificationResult& result) {
  Json json;
  json["study"] = study.name;
  json["method"] = study.method_name;
  json["parameters"] = Json::object();
  for (const FoundParameter& found : result.parameters)
    json["parameters"][found.name] = as_json(found);
  if (result.total_mass) json["total_mass"] = as_json(*result.total_mass);
  json["covariance"] = Json::array();
  for (Eigen::Index i = 0; i < result.covariance.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < result.covariance.cols(); ++j)
      row.push_back(number(result.covariance(i, j)));
    json["covariance"].push_back(row);
  }
  json["iterations"] = result.iterations;
  json["converged"] = result.converged;
  json["model_explains_readings"] = result.explained;
  json["condition_number"] = number(result.condition_number);
  json["noise"] = {
      {"level", result.noise_level},
      {"of", study.problem.noise.kind == NoiseKind::kOfPeak ? "peak" : "reading"},
      {"stated", result.noise_stated},
      {"residual_over_noise", number(result.misfit)}};
  if (result.most_misfit > 0.0)
    json["residual_test"] = {{"distribution", "chi-square"},
                             {"degrees_of_freedom", result.freedom},
                             {"significance", kResidualSignificance},
                             {"most_residual_over_noise", result.most_misfit},
                             {"passed", result.explained}};
  if (result.nodal)
    json["nodal"] = {{"functions", result.nodal->order},
                     {"points", result.nodal->points},
                     {"gauges", result.nodal->gauges},
                     {"determined_motions", result.nodal->determined},
                     {"motions", result.nodal->motions},
                     {"lambda", result.nodal->lambda}};
  if (result.road) {
    json["road"] = {{"identifiable", result.explained}};
    if (result.road->error) json["road"]["relative_error"] = *result.road->error;
  }
  return json.dump(2) + "\n";
}

}  // namespace trestle::identification
