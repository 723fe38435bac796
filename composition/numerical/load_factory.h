#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "numerical/excitation/excitation.h"
#include "numerical/structure/structural_model.h"

namespace trestle::config {
class Excitation;
}

namespace trestle::composition {

/// A load before it is sampled.
struct LoadCase {
  std::string name;
  structure::DofTerms forces;            ///< equations, and their forces, scale included
  std::function<double(double)> factor;  ///< of the time [s]; none: constant
  double end = 0.0;                      ///< until its factor no longer changes [s]
  bool of_gravity = false;               ///< part of gravity, and of nothing else
  std::vector<excitation::MemberEndForces> members{};  ///< what it is to the members' ends
  structure::DofTerms held{};  ///< rows of held DOFs, and their forces, scale included
};

/// @param path  dotted path of `excitation`, for errors
/// @throws SettingError with all problems: unknown nodes and members, places outside a
///         member, files that cannot be read, loads of gravity that have a history
std::vector<LoadCase> make_load_cases(const config::Excitation& excitation,
                                      const structure::StructuralModel& structure,
                                      const std::string& path);

/// @returns the load's factor at each step
excitation::TimedLoad sampled(const LoadCase& load, double time_step, std::int64_t steps);

/// Gravity's load: weights, and the loads that belong to it. Size zero: the test has none.
/// @throws SettingError if nothing has weight
Eigen::VectorXd make_gravity_load(const config::Excitation& excitation,
                                  const structure::StructuralModel& structure,
                                  const std::vector<LoadCase>& loads,
                                  const std::string& path);

/// What of gravity's load is on DOFs that supports hold. Size zero: the test has none.
Eigen::VectorXd make_held_gravity_load(const config::Excitation& excitation,
                                       const structure::StructuralModel& structure,
                                       const std::vector<LoadCase>& loads);

/// What gravity is to the ends of the members that it acts on.
std::vector<excitation::MemberEndForces> gravity_of_members(
    const config::Excitation& excitation, const structure::StructuralModel& structure,
    const std::vector<LoadCase>& loads);

}  // namespace trestle::composition
