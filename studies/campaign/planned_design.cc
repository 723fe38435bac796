#include "studies/campaign/planned_design.h"

#include <bit>
#include <cmath>
#include <utility>

#include "core/base/setting_error.h"
#include "core/yaml/dimensions.h"
#include "studies/design/latin_hypercube_points.h"
#include "studies/design/random_design.h"
#include "studies/design/random_points.h"
#include "studies/design/saltelli_points.h"
#include "studies/design/sample_table.h"
#include "studies/design/sobol_points.h"
#include "studies/design/tabulated_design.h"
#include "studies/design/transformed_design.h"

namespace trestle::campaign {
namespace {

constexpr std::int64_t kMostRuns = 100'000'000;
constexpr int kUsualReplicates = 1000;
constexpr std::uint32_t kUsualLevels = 4;

std::string kind_name(const config::Design& design) {
  switch (design.kind_case()) {
    case config::Design::kLatinHypercube:
      return "latin-hypercube";
    case config::Design::kSobol:
      return "sobol";
    case config::Design::kMorris:
      return "morris";
    case config::Design::kFile:
      return "file";
    case config::Design::kRandom:
    case config::Design::KIND_NOT_SET:
      break;
  }
  return "random";
}

bool is_scrambled(const config::SobolDesign& sobol) {
  return !sobol.has_scramble() || sobol.scramble();
}

std::uint32_t levels_of(const config::MorrisDesign& morris) {
  return morris.has_levels() ? morris.levels() : kUsualLevels;
}

std::int64_t given_runs(const config::Study& study) {
  if (!study.has_runs())
    throw SettingError("runs",
                       "runs is missing; only a file of samples, the design morris and "
                       "a sensitivity say how many runs there are");
  return study.runs();
}

/// Where the design says how many runs there are.
std::int64_t fixed_runs(const config::Study& study, std::int64_t runs,
                        const std::string& of) {
  if (runs > kMostRuns)
    throw SettingError("runs", "runs would be " + std::to_string(runs) + " (" + of +
                                   "); must be at most " + std::to_string(kMostRuns));
  if (study.has_runs() && study.runs() != runs)
    throw SettingError("runs", "runs is " + std::to_string(study.runs()) + "; " + of +
                                   " makes " + std::to_string(runs) + ": leave `runs` out");
  return runs;
}

std::vector<design::ParameterDistribution> spreads_of(const StudyPlan& plan) {
  std::vector<design::ParameterDistribution> spreads;
  for (const Parameter& parameter : plan.parameters) spreads.push_back(parameter.spread);
  return spreads;
}

/// What one sample of the unit is in SI.
double unit_of_samples(const std::string& unit, config::Dimension dimension,
                       const std::string& name) {
  if (unit.empty()) return 1.0;
  const auto quantity = yaml::read_quantity("1 " + unit, dimension);
  if (!quantity)
    throw SettingError("design.samples",
                       "samples column `" + name + "` " + quantity.error().detail);
  return quantity.value().value;
}

void plan_samples(const config::Study& study,
                  const std::vector<config::Dimension>& dimensions, StudyPlan& plan) {
  std::vector<std::string> names;
  for (const Parameter& parameter : plan.parameters) names.push_back(parameter.name);
  auto read = design::read_sample_table(study.design().file().samples(), names);
  if (!read) throw SettingError("design.samples", read.error().detail);
  std::vector<std::vector<double>> rows = read.value().rows;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double unit = unit_of_samples(read.value().units[i], dimensions[i], names[i]);
    for (std::vector<double>& row : rows) row[i] *= unit;
  }
  const auto count = static_cast<std::int64_t>(rows.size());
  plan.runs = study.has_runs() ? study.runs() : count;
  if (plan.runs > count)
    throw SettingError("runs", "runs is " + std::to_string(plan.runs) + "; " +
                                   study.design().file().samples() + " has " +
                                   std::to_string(count) + " rows");
  plan.design = std::make_shared<design::TabulatedDesign>(std::move(rows));
}

void plan_trajectories(const config::Study& study, StudyPlan& plan) {
  const config::MorrisDesign& morris = study.design().morris();
  if (levels_of(morris) % 2 != 0)
    throw SettingError("design.levels", "levels is " + std::to_string(levels_of(morris)) +
                                            "; must be an even number");
  const auto trajectories = std::make_shared<const design::MorrisTrajectories>(
      plan.seed, plan.parameters.size(), levels_of(morris));
  plan.sensitivity = {.kind = SensitivityPlan::Kind::kElementaryEffects,
                      .groups = morris.trajectories(),
                      .bootstrap = 0,
                      .trajectories = trajectories};
  plan.runs = fixed_runs(
      study, plan.sensitivity.groups * static_cast<std::int64_t>(trajectories->length()),
      std::to_string(morris.trajectories()) + " trajectories of " +
          std::to_string(plan.parameters.size()) + " parameters");
  plan.design = std::make_shared<design::TransformedDesign>(trajectories, spreads_of(plan));
}

/// Points in the way of the design.
std::unique_ptr<const design::UnitPoints> make_points(const config::Design& design,
                                                      std::uint64_t seed,
                                                      std::size_t dimensions,
                                                      std::int64_t points) {
  if (design.has_latin_hypercube())
    return std::make_unique<design::LatinHypercubePoints>(seed, dimensions, points);
  if (!design.has_sobol()) return std::make_unique<design::RandomPoints>(seed, dimensions);
  if (dimensions > design::SobolPoints::kMaxDimensions)
    throw SettingError("design", "design sobol has " +
                                     std::to_string(design::SobolPoints::kMaxDimensions) +
                                     " dimensions; this study needs " +
                                     std::to_string(dimensions));
  return std::make_unique<design::SobolPoints>(seed, dimensions,
                                               is_scrambled(design.sobol()));
}

void notice_of_points(const config::Design& design, std::int64_t points,
                      const std::string& what, StudyPlan& plan) {
  if (!design.has_sobol() || std::has_single_bit(static_cast<std::uint64_t>(points)))
    return;
  const auto below = std::bit_floor(static_cast<std::uint64_t>(points));
  plan.notice = what + " is " + std::to_string(points) +
                ", which is no power of 2; the points of sobol fill the space most evenly "
                "with " +
                std::to_string(below) + " or " + std::to_string(2 * below);
}

void plan_indices(const config::Study& study, StudyPlan& plan) {
  if (study.design().has_morris() || study.design().has_file())
    throw SettingError("sensitivity",
                       "sensitivity sobol-indices has its own points; the design " +
                           kind_name(study.design()) +
                           " does not serve it: random, latin-hypercube "
                           "and sobol do");
  const config::SobolIndices& indices = study.sensitivity().sobol_indices();
  const std::size_t dimensions = plan.parameters.size();
  plan.sensitivity = {.kind = SensitivityPlan::Kind::kSobolIndices,
                      .groups = indices.base(),
                      .bootstrap = indices.has_bootstrap()
                                       ? static_cast<int>(indices.bootstrap())
                                       : kUsualReplicates,
                      .trajectories = nullptr};
  plan.runs = fixed_runs(
      study,
      plan.sensitivity.groups *
          static_cast<std::int64_t>(design::SaltelliPoints::row_size(dimensions)),
      "base " + std::to_string(indices.base()) + " x (" + std::to_string(dimensions) +
          " parameters + 2)");
  notice_of_points(study.design(), plan.sensitivity.groups, "base", plan);
  plan.design = std::make_shared<design::TransformedDesign>(
      std::make_shared<design::SaltelliPoints>(
          make_points(study.design(), plan.seed, 2 * dimensions, plan.sensitivity.groups),
          dimensions),
      spreads_of(plan));
}

}  // namespace

void plan_design(const config::Study& study,
                 const std::vector<config::Dimension>& dimensions, StudyPlan& plan) {
  const config::Design& design = study.design();
  plan.design_name = kind_name(design);
  if (study.sensitivity().has_sobol_indices()) return plan_indices(study, plan);
  if (design.has_file()) return plan_samples(study, dimensions, plan);
  if (design.has_morris()) return plan_trajectories(study, plan);
  plan.runs = given_runs(study);
  if (design.has_latin_hypercube() || design.has_sobol()) {
    notice_of_points(design, plan.runs, "the number of runs", plan);
    plan.design = std::make_shared<design::TransformedDesign>(
        make_points(design, plan.seed, plan.parameters.size(), plan.runs),
        spreads_of(plan));
    return;
  }
  std::vector<design::NamedDistribution> named;
  for (const Parameter& parameter : plan.parameters)
    named.push_back({parameter.name, parameter.spread});
  plan.design = std::make_shared<design::RandomDesign>(plan.seed, named);
}

std::string design_identity(const config::Study& study) {
  const config::Design& design = study.design();
  std::string text = kind_name(design);
  if (design.has_sobol() && !is_scrambled(design.sobol())) text += " unscrambled";
  if (design.has_morris())
    text += " of " + std::to_string(levels_of(design.morris())) + " levels";
  if (study.sensitivity().has_sobol_indices()) {
    text += " for sobol-indices";
    if (design.has_latin_hypercube())
      text += " of base " + std::to_string(study.sensitivity().sobol_indices().base());
  } else if (design.has_latin_hypercube()) {
    text += " of " + std::to_string(study.runs()) + " runs";
  }
  return text == "random" ? std::string() : text;
}

}  // namespace trestle::campaign
