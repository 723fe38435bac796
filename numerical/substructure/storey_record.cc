#include "numerical/substructure/storey_record.h"

namespace trestle::substructure {

StoreyRecord::StoreyRecord(const std::vector<StoreyDirection>& storeys,
                           const std::vector<structure::AssembledMember>& members,
                           const excitation::Excitation& excitation) {
  for (const StoreyDirection& given : storeys) {
    Storey& storey = storeys_.emplace_back(Storey{.drift = given.drift,
                                                  .height = given.height,
                                                  .shear = {},
                                                  .loads = {},
                                                  .laws = {},
                                                  .specimens = given.specimens});
    for (const StoreyDirection::Column& column : given.columns)
      add_column(column, given.along, members[column.member], excitation, storey);
    channels_.push_back({given.name + ".drift_m", "m"});
    channels_.push_back({given.name + ".drift_ratio", "1"});
    channels_.push_back({given.name + ".shear_N", "N"});
  }
}

void StoreyRecord::add_column(const StoreyDirection::Column& column, Eigen::Index along,
                              const structure::AssembledMember& member,
                              const excitation::Excitation& excitation, Storey& storey) {
  const Eigen::Index per_end = member.dofs_per_end();
  const Eigen::Index first = column.upper_is_end ? per_end : 0;
  const Eigen::Index translations = per_end == 3 ? 2 : 3;
  const auto horizontal = [&](const Eigen::VectorXd& ends) {
    return member.axes.col(along).head(translations).dot(ends.segment(first, translations));
  };
  const Eigen::MatrixXd forces = member.stiffness * member.ends;
  for (std::size_t j = 0; j < member.equations.size(); ++j)
    structure::add_terms(
        storey.shear,
        {{member.equations[j], horizontal(forces.col(static_cast<Eigen::Index>(j)))}}, 1.0);
  if (member.law) {
    Eigen::VectorXd along_end = Eigen::VectorXd::Zero(member.stiffness.rows());
    along_end.segment(first, translations) = member.axes.col(along).head(translations);
    storey.laws.push_back({member.law, along_end});
  }
  for (const excitation::MemberEndForces& ends : excitation.gravity_of_members())
    if (ends.member == column.member)
      storey.loads.push_back({kGravity, horizontal(ends.forces)});
  for (std::size_t i = 0; i < excitation.loads().size(); ++i)
    for (const excitation::MemberEndForces& ends : excitation.loads()[i].members)
      if (ends.member == column.member)
        storey.loads.push_back({i, horizontal(ends.forces)});
}

void StoreyRecord::write(const StepView& step, std::span<double> row) const noexcept {
  std::size_t at = 0;
  for (const Storey& storey : storeys_) {
    const double drift = structure::motion_of(storey.drift, step.state.displacement);
    double shear = structure::motion_of(storey.shear, step.state.displacement);
    for (const LawShare& share : storey.laws) shear += share.along.dot(share.law->beyond());
    for (const LoadShare& share : storey.loads)
      shear -=
          share.force *
          (share.load == kGravity ? 1.0 : step.excitation.factor(share.load, step.step));
    for (const StoreyDirection::Specimen& specimen : storey.specimens)
      shear += step.sites[specimen.site][specimen.dof];
    row[at++] = drift;
    row[at++] = drift / storey.height;
    row[at++] = shear;
  }
}

}  // namespace trestle::substructure
