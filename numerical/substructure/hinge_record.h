#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/base/snapshot.h"
#include "core/types/record.h"
#include "numerical/integration/condensed_newton.h"
#include "numerical/structure/structural_model.h"

namespace trestle::substructure {

/// Rotation and moment of the hinges of members, as the record of steps gives them:
/// `<member>.from.hinge_rad`, node minus member's end, and `.hinge_Nm`; of a spatial frame
/// `<member>.from.rz.hinge_rad`. A scheme that takes the moment at the predicted rotation
/// carries it with the initial stiffness to where the step ends, and so does the record.
class HingeRecord {
 public:
  HingeRecord() = default;
  /// @param members  whose hinges are recorded
  HingeRecord(const std::vector<std::string>& members,
              const structure::StructuralModel& structure);

  bool empty() const noexcept { return hinges_.empty(); }
  const Channels& channels() const noexcept { return channels_; }

  /// Keeps the force of each spring at its predicted deformation. Does not allocate.
  void predicted(std::size_t spring, double elongation, double force) noexcept {
    predicted_[static_cast<Eigen::Index>(spring)] = elongation;
    force_[static_cast<Eigen::Index>(spring)] = force;
  }

  /// Does not allocate.
  /// @param iterated  of a scheme that finds the forces at the end of the step; or null
  /// @pre row.size() == channels().size()
  void write(const Eigen::VectorXd& displacement,
             const integration::CondensedNewton* iterated,
             std::span<double> row) const noexcept;

  void save(SnapshotWriter& snapshot) const { visit(*this, snapshot); }
  void restore(SnapshotReader& snapshot) { visit(*this, snapshot); }

 private:
  struct Hinge {
    std::size_t spring;
    structure::DofTerms rotation;
    double initial_stiffness;
  };

  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive) {
    archive(self.predicted_, self.force_);
  }

  std::vector<Hinge> hinges_;
  Eigen::VectorXd predicted_;  // one per spring
  Eigen::VectorXd force_;
  Channels channels_;
};

}  // namespace trestle::substructure
