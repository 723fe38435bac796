#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/types/record.h"
#include "numerical/structure/structural_model.h"
#include "numerical/substructure/step_view.h"

namespace trestle::substructure {

/// Equations of each site's interface, for what their specimens bring to the ground.
using SiteEquations = std::vector<std::vector<int>>;

/// Reactions of supports and what they come to, as the record of steps gives them.
///
/// `<node>.<dof>.reaction_N` (`_Nm`): the force of the ground on the structure, K·d + C·v +
/// M·a of the rows of a held DOF less the loads on it; modal damping is not in it.
/// `base.shear_N`: the horizontal force of the structure on the ground, positive with a
/// drift along +x; `base.overturning_Nm`: its moment about the mean of the lowest held
/// nodes, positive with a load along +x above it. Springs to the ground are in both, and so
/// are specimens as they answered, each taken as one that stands on the ground or between
/// nodes. Spatial:
/// `base.x.shear_N`, `base.y.shear_N` and so on, the moments of forces along x and y.
class SupportRecord {
 public:
  struct Settings {
    std::vector<std::string> nodes{};  ///< whose reactions are recorded
    bool elastic = false;              ///< without damping and inertia
    bool base = false;                 ///< shear and overturning moment
  };

  SupportRecord() = default;
  SupportRecord(const Settings& settings, const structure::StructuralModel& structure,
                const SiteEquations& sites);

  bool empty() const noexcept { return channels_.empty(); }
  const Channels& channels() const noexcept { return channels_; }

  /// Does not allocate.
  /// @pre row.size() == channels().size()
  void write(const StepView& step, std::span<double> row) const noexcept;

 private:
  struct Spring {
    std::size_t index;
    structure::DofTerms held;
  };
  struct Member {
    std::size_t index;  // in the structure
    std::shared_ptr<const structure::MemberLaw> law;
    std::vector<int> held;
    Eigen::MatrixXd ends;  // held ends, one column for each of `held`
  };
  void evaluate(const StepView& step) const noexcept;
  void add_damping(const integration::TangentDamping& damping) const noexcept;
  void write_base(const StepView& step, std::span<double> row) const noexcept;

  bool elastic_ = false;
  bool base_ = false;
  bool spatial_ = false;
  std::vector<std::vector<Eigen::Index>> rows_;  // that each channel sums
  structure::HeldDofs held_;                     // matrices; no names
  std::vector<Spring> springs_;
  std::vector<Member> members_;  // with laws
  Eigen::MatrixXd influence_;    // of the equations of all interfaces, in their order
  Eigen::Vector3d about_ = Eigen::Vector3d::Zero();
  Channels channels_;
  mutable Eigen::VectorXd reaction_;
  mutable Eigen::VectorXd load_;
};

}  // namespace trestle::substructure
