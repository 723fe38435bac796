#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "core/types/record.h"
#include "numerical/structure/structural_model.h"
#include "numerical/substructure/step_view.h"

namespace trestle::substructure {

/// Deformation and force of links, as the record of steps gives them: `<link>.<dof>.link_m`
/// (`_rad`) and `.link_N` (`_Nm`); along its line `<link>.along.link_m`. The deformation is
/// the motion of `to` less that of `from`.
class LinkRecord {
 public:
  LinkRecord() = default;
  /// @param names  links to record
  LinkRecord(const std::vector<std::string>& names,
             const std::vector<structure::LinkDirection>& links);

  bool empty() const noexcept { return links_.empty(); }
  const Channels& channels() const noexcept { return channels_; }

  /// Does not allocate.
  /// @pre row.size() == channels().size()
  void write(const StepView& step, std::span<double> row) const noexcept;

 private:
  void write(const StepView& step, excitation::Excitation::SupportDerivative derivative,
             std::span<double> row) const noexcept;

  std::vector<structure::LinkDirection> links_;
  mutable Eigen::VectorXd supports_;  // motion of held DOFs; size zero: of none
  Channels channels_;
};

}  // namespace trestle::substructure
