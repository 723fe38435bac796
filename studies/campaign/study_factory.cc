#include "studies/campaign/study_factory.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include "composition/processes/hybrid_test_setup.h"
#include "core/base/random.h"
#include "core/base/setting_error.h"
#include "core/base/suggestion.h"
#include "core/base/text_file.h"
#include "core/yaml/config_error_collector.h"
#include "core/yaml/config_query.h"
#include "core/yaml/dimensions.h"
#include "core/yaml/yaml_reader.h"
#include "core/yaml/yaml_writer.h"
#include "studies/campaign/in_memory_run.h"
#include "studies/campaign/planned_design.h"

namespace trestle::campaign {
namespace {

/// A number of the study, in the dimension of what it varies.
double number(const std::string& text, config::Dimension dimension,
              const std::string& path) {
  const auto quantity = yaml::read_quantity(text, dimension);
  if (!quantity)
    throw SettingError(path,
                       path.substr(path.rfind('.') + 1) + " " + quantity.error().detail);
  return quantity.value().value;
}

double mean_of(const std::string& text, bool is_factor, config::Dimension dimension,
               const std::string& path) {
  if (!text.empty()) return number(text, dimension, path + ".mean");
  if (is_factor) return 1.0;
  throw SettingError(path, "has no mean; only a factor has one of itself, which is 1");
}

double deviation(const std::string& text, config::Dimension dimension,
                 const std::string& path) {
  const double sd = number(text, dimension, path + ".sd");
  if (sd < 0.0) throw SettingError(path + ".sd", "is " + text + "; must not be negative");
  return sd;
}

design::ParameterDistribution make_spread(const config::Spread& spread, bool is_factor,
                                          config::Dimension dimension,
                                          const std::string& path) {
  design::ParameterDistribution made;
  if (spread.has_normal()) {
    made.mean = mean_of(spread.normal().mean(), is_factor, dimension, path);
    made.sd = deviation(spread.normal().sd(), dimension, path);
  } else if (spread.has_log_normal()) {
    made.kind = design::ParameterDistribution::Kind::kLogNormal;
    made.mean = mean_of(spread.log_normal().mean(), is_factor, dimension, path);
    made.sd = deviation(spread.log_normal().sd(), dimension, path);
    if (!(made.mean > 0.0))
      throw SettingError(path + ".mean", "of a log-normal spread must be positive");
  } else if (spread.has_uniform()) {
    made.kind = design::ParameterDistribution::Kind::kUniform;
    made.low = number(spread.uniform().low(), dimension, path + ".low");
    made.high = number(spread.uniform().high(), dimension, path + ".high");
    if (!(made.low < made.high))
      throw SettingError(path + ".low", "is " + spread.uniform().low() +
                                            "; must be below high, which is " +
                                            spread.uniform().high());
  } else {
    throw SettingError(path, "has no kind; must be one of normal, uniform, log-normal");
  }
  return made;
}

VariedField make_place(const config::Test& test, const std::string& in_test, bool is_factor,
                       const std::string& path, config::Dimension& dimension) {
  const auto found = yaml::query_numbers(test, in_test);
  const std::string name = quote(in_test) + " ";
  if (!found) throw SettingError(path, name + found.error().detail);
  const yaml::NumericField& at = found.value();
  dimension = at.dimension;
  VariedField place{in_test, at.values, at.is_list, at.is_whole};
  if (!is_factor) {
    if (at.is_parts)
      throw SettingError(path, name + "has several parts; vary them by a factor");
    if (at.values.empty()) place.nominal.assign(1, 0.0);  // only how many counts
    return place;
  }
  if (at.values.empty())
    throw SettingError(path, name +
                                 "has no value in the test, so nothing that a factor "
                                 "could act on; give it one there");
  bool all_zero = true;
  for (const double value : at.values) all_zero = all_zero && value == 0.0;
  if (all_zero)
    throw SettingError(path, name +
                                 "is 0 in the test, which no factor changes; vary its "
                                 "value in place");
  return place;
}

/// @param sampled    a file has the values, so that no spread is needed
/// @param dimension  of what is drawn
Parameter make_parameter(const config::Parameter& given, const config::Test& test,
                         const std::string& path, bool sampled,
                         config::Dimension& dimension) {
  Parameter parameter;
  parameter.name = given.name();
  parameter.is_factor = given.has_factor();
  if (!given.has_factor() && !given.has_value() && !sampled)
    throw SettingError(path, "says neither `factor` nor `value`: what shall be drawn?");
  std::set<config::Dimension> dimensions;
  for (int i = 0; i < given.paths_size(); ++i) {
    config::Dimension of_path = config::PLAIN;
    parameter.places.push_back(make_place(test, given.paths(i), parameter.is_factor,
                                          path + ".paths[" + std::to_string(i) + "]",
                                          of_path));
    dimensions.insert(of_path);
  }
  if (!parameter.is_factor && dimensions.size() > 1)
    throw SettingError(path + ".paths",
                       "are of different dimensions; one value cannot stand in all of "
                       "them, a factor can");
  dimension = parameter.is_factor ? config::RATIO : *dimensions.begin();
  if (given.has_factor() || given.has_value())
    parameter.spread = make_spread(parameter.is_factor ? given.factor() : given.value(),
                                   parameter.is_factor, dimension,
                                   path + (parameter.is_factor ? ".factor" : ".value"));
  return parameter;
}

std::string hashed(const std::string& bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  const std::uint64_t hash = stream_id(bytes);
  for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[(hash >> shift) & 15U];
  return text;
}

std::string content(const std::string& path) {
  if (!why_no_plain_file(path).empty()) return {};
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

config::Test effective_test(const StudyFile& file) {
  config::Test test;
  yaml::SourceMap where;
  yaml::read_edited_yaml(file.study.test(), file.overrides, test, where);
  return test;
}

}  // namespace

StudyFile read_study(const std::string& file, const std::vector<std::string>& overrides,
                     const std::string& software) {
  StudyFile read;
  yaml::read_yaml(file, {}, read.study, read.where);
  std::error_code none;
  const std::string directory =
      std::filesystem::absolute(file, none).parent_path().string();
  for (const std::string& text : read.study.set())
    read.overrides.push_back({text, directory, file + ": set"});
  for (yaml::Override& change : yaml::parse_command_line_overrides(overrides))
    read.overrides.push_back(std::move(change));
  const std::unique_ptr<composition::HybridTestSetup> setup =
      composition::load_hybrid_test(read.study.test(), read.overrides, software);
  check_all_here(*setup);
  read.test = yaml::write_yaml(setup->test);
  read.time_step = setup->test.time_step();
  return read;
}

StudyPlan study_plan(const StudyFile& file) {
  const config::Study& study = file.study;
  const config::Test test = effective_test(file);
  StudyPlan plan;
  plan.name = study.study();
  plan.seed = study.seed();
  if (study.has_unstable_above()) plan.unstable_above = study.unstable_above();
  plan.include_unstable = study.unstable() == config::UNSTABLE_RUNS_INCLUDE;
  plan.results.assign(study.results().begin(), study.results().end());
  yaml::ConfigErrorCollector problems(file.where);
  std::vector<config::Dimension> dimensions;
  for (int i = 0; i < study.parameters_size(); ++i)
    problems.attempt([&] {
      config::Dimension dimension = config::PLAIN;
      plan.parameters.push_back(make_parameter(study.parameters(i), test,
                                               "parameters[" + std::to_string(i) + "]",
                                               study.design().has_file(), dimension));
      dimensions.push_back(dimension);
    });
  problems.throw_if_any();
  problems.attempt([&] { plan_design(study, dimensions, plan); });
  problems.throw_if_any();
  return plan;
}

std::vector<std::pair<std::string, std::string>> study_identity(
    const StudyFile& file, const std::string& software) {
  config::Study drawn = file.study;
  drawn.clear_runs();
  drawn.clear_seed();
  drawn.clear_test();
  drawn.clear_set();
  drawn.clear_results();
  drawn.clear_design();
  drawn.clear_sensitivity();
  drawn.set_runs(1);
  drawn.set_test("test");
  drawn.set_study("study");
  std::vector<std::pair<std::string, std::string>> parts{
      {"seed", std::to_string(file.study.seed())},
      {"study", hashed(yaml::write_yaml(drawn))},
      {"test", hashed(file.test)},
      {"software", software}};
  // Campaigns from before there were designs have none here, and drew at random.
  if (const std::string design = design_identity(file.study); !design.empty())
    parts.emplace_back("design", design);
  if (file.study.design().has_file())
    parts.emplace_back("file of samples",
                       hashed(content(file.study.design().file().samples())));
  // A test may name one file in several places.
  const std::vector<std::string> files = yaml::referenced_files(effective_test(file));
  for (const std::string& name : std::set<std::string>(files.begin(), files.end()))
    parts.emplace_back("file " + name, hashed(content(name)));
  return parts;
}

}  // namespace trestle::campaign
