#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "studies/campaign/parameter_distribution.h"

namespace trestle {

/// One place of the test that a parameter moves.
struct VariedField {
  std::string path;             ///< as `--set` takes it
  std::vector<double> nominal;  ///< SI; several: a list, or the parts of a complex number
  bool is_list = false;
  bool is_whole = false;  ///< takes the nearest whole number
};

struct Parameter {
  std::string name;
  bool is_factor = false;  ///< on the nominal values; else in their place
  ParameterDistribution spread;
  std::vector<VariedField> places;
};

/// A campaign, ready to draw: run 0 is the nominal test, runs 1 … `runs` are drawn.
struct StudyPlan {
  std::string name;
  std::int64_t runs = 0;
  std::uint64_t seed = 0;
  double unstable_above = 10.0;  ///< times the nominal run's largest target
  std::vector<Parameter> parameters;
  std::vector<std::string> results;  ///< patterns of what the screen shows
};

/// Returns the value of each parameter in this run: a factor, or a value in SI. Depends
/// only on the seed, the number of the run and the parameter's name.
std::vector<double> drawn_values(const StudyPlan& plan, std::int64_t run);

/// The changes that make the test of this run, `path=value`, to the last bit; none for run
/// 0.
std::vector<std::string> drawn_overrides(const StudyPlan& plan, std::int64_t run);

}  // namespace trestle
