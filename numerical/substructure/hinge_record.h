#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/types/record.h"
#include "numerical/integration/newton_forces.h"
#include "numerical/structure/structural_model.h"
#include "numerical/substructure/spring_forces.h"

namespace trestle::substructure {

/// Rotation and moment of the hinges of members, as the record of steps gives them:
/// `<member>.from.hinge_rad`, node minus member's end, and `.hinge_Nm`; of a spatial frame
/// `<member>.from.rz.hinge_rad`.
class HingeRecord {
 public:
  HingeRecord() = default;
  /// @param members  whose hinges are recorded
  HingeRecord(const std::vector<std::string>& members,
              const structure::StructuralModel& structure);

  bool empty() const noexcept { return hinges_.empty(); }
  const Channels& channels() const noexcept { return channels_; }

  /// Does not allocate.
  /// @param iterated  of a scheme that finds the forces at the end of the step; or null
  /// @pre row.size() == channels().size()
  void write(const Eigen::VectorXd& displacement, const SpringForces& springs,
             const integration::NewtonForces* iterated,
             std::span<double> row) const noexcept;

 private:
  std::vector<std::size_t> hinges_;  // among the springs
  Channels channels_;
};

}  // namespace trestle::substructure
