#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/snapshot.h"
#include "core/ports/numerical_substructure.h"
#include "core/types/record.h"
#include "numerical/materials/hysteresis_estimator.h"
#include "numerical/materials/twin_law.h"
#include "numerical/structure/structural_model.h"

namespace trestle::substructure {

/// A specimen that is observed, and the springs that follow it.
struct TwinSettings {
  std::string name;            ///< of the channels
  std::size_t site = 0;        ///< place among the sites
  Eigen::Index dof = 0;        ///< of its interface: the specimen's deformation
  bool turns = false;          ///< it is a rotation
  std::int64_t from_step = 0;  ///< the springs follow from here on
  materials::HysteresisEstimatorSettings specimen;
  std::vector<std::size_t> springs{};  ///< places of springs with a TwinLaw
};

/// Updates laws of the numerical part while the test runs: of each observed specimen an
/// estimator sees deformation and force as the site answered them in a step, and from the
/// next step on the twins have the factors that it has found, each on the numbers of its
/// own start. All specimens are estimated from step 0 on.
///
/// Per specimen it records `<name>.stiffness`, `.yield_force` and `.hardening`, over their
/// starts, behind each its standard deviation (`.stiffness_sd`), and `.innovation_N`
/// (`_Nm`), measured less expected force; then the correlations of the three
/// (`.corr_stiffness_yield`, `.corr_stiffness_hardening`, `.corr_yield_hardening`), which
/// with the deviations are the covariance.
class TwinUpdating {
 public:
  TwinUpdating() = default;
  /// @param springs  outlive this; those of the settings have a TwinLaw
  /// @throws SettingError  below `updating[i]`, of the estimators
  TwinUpdating(const std::vector<TwinSettings>& settings,
               const std::vector<structure::NonlinearSpring>& springs);

  bool empty() const noexcept { return specimens_.empty(); }
  const Channels& channels() const noexcept { return channels_; }

  /// The estimators; laws reset themselves.
  void reset() noexcept;
  /// Takes the answers of a step, and lets the twins follow. Does not allocate.
  void observe(std::int64_t step, std::span<const SiteResponse> answers) noexcept;
  /// @pre row.size() == channels().size()
  void write(std::span<double> row) const noexcept;

  /// The estimators; laws save themselves.
  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  struct Specimen {
    std::size_t site;
    Eigen::Index dof;
    std::int64_t from_step;
    materials::HysteresisEstimator estimator;
    std::vector<materials::TwinLaw*> twins;
  };

  std::vector<Specimen> specimens_;
  Channels channels_;
};

}  // namespace trestle::substructure
