#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "studies/design/morris_trajectories.h"
#include "studies/design/parameter_distribution.h"
#include "studies/design/sample_design.h"

namespace trestle::campaign {

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
  design::ParameterDistribution spread;
  std::vector<VariedField> places;
};

/// What shall be found out about the effect of each parameter on the results.
struct SensitivityPlan {
  enum class Kind { kNone, kSobolIndices, kElementaryEffects };

  Kind kind = Kind::kNone;
  std::int64_t groups = 0;  ///< rows of the indices, or trajectories of the effects
  int bootstrap = 0;        ///< replicates for the intervals of the indices
  /// The trajectories of elementary effects; else null.
  std::shared_ptr<const design::MorrisTrajectories> trajectories;
};

/// A campaign, ready to draw: run 0 is the nominal test, runs 1 … `runs` are drawn.
struct StudyPlan {
  std::string name;
  std::int64_t runs = 0;
  std::uint64_t seed = 0;
  double unstable_above = 10.0;  ///< times the nominal run's largest target
  /// A run that counts as unstable is not ended, and its results are told beside those of
  /// the stable ones.
  bool include_unstable = false;
  std::vector<Parameter> parameters;
  std::vector<std::string> results;  ///< patterns of what the screen shows
  std::shared_ptr<const design::SampleDesign> design;
  std::string design_name;  ///< `random`, `sobol`
  std::string notice;       ///< one sentence on the number of runs; usually empty
  SensitivityPlan sensitivity;
};

/// What each parameter is in this run: a factor, or a value in SI.
/// @param run  from 1
std::vector<double> drawn_values(const StudyPlan& plan, std::int64_t run);

/// The changes that make the test of this run, `path=value`, to the last bit; none for run
/// 0.
std::vector<std::string> drawn_overrides(const StudyPlan& plan, std::int64_t run);

}  // namespace trestle::campaign
