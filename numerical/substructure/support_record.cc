#include "numerical/substructure/support_record.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

#include "numerical/integration/tangent_damping.h"

namespace trestle::substructure {
namespace {

/// The mean of the lowest held nodes, each counted once.
Eigen::Vector3d lowest(const structure::HeldDofs& held, Eigen::Index up) {
  double level = std::numeric_limits<double>::infinity();
  for (const structure::HeldDof& dof : held.dofs) level = std::min(level, dof.at[up]);
  std::vector<Eigen::Vector3d> nodes;
  constexpr double kSame = 1e-9;  // [m]
  for (const structure::HeldDof& dof : held.dofs)
    if (dof.at[up] <= level + kSame &&
        std::none_of(nodes.begin(), nodes.end(),
                     [&dof](const Eigen::Vector3d& node) { return node == dof.at; }))
      nodes.push_back(dof.at);
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& node : nodes) mean += node;
  return nodes.empty() ? mean : Eigen::Vector3d(mean / static_cast<double>(nodes.size()));
}

}  // namespace

SupportRecord::SupportRecord(const Settings& settings,
                             const structure::StructuralModel& structure,
                             const SiteEquations& sites)
    : elastic_(settings.elastic), base_(settings.base), spatial_(structure.spatial) {
  if (settings.nodes.empty() && !base_) return;
  for (std::size_t i = 0; i < structure.held.dofs.size(); ++i) {
    const structure::HeldDof& dof = structure.held.dofs[i];
    if (std::find(settings.nodes.begin(), settings.nodes.end(),
                  dof.name.substr(0, dof.name.rfind('.'))) == settings.nodes.end())
      continue;
    const bool turns = dof.kind == DofKind::kRotation;
    const std::string channel = dof.name + (turns ? ".reaction_Nm" : ".reaction_N");
    // The ground of springs has several rows of one name.
    const auto known =
        std::find_if(channels_.begin(), channels_.end(),
                     [&channel](const Channel& other) { return other.name == channel; });
    const auto at = static_cast<std::size_t>(known - channels_.begin());
    if (known == channels_.end()) {
      channels_.push_back({channel, turns ? "N.m" : "N"});
      rows_.emplace_back();
    }
    rows_[at].push_back(static_cast<Eigen::Index>(i));
  }
  held_ = structure.held;
  about_ = lowest(held_, structure.up());
  held_.dofs.clear();
  for (std::size_t i = 0; i < structure.springs.size(); ++i)
    if (!structure.springs[i].held.empty())
      springs_.push_back({i, structure.springs[i].held});
  for (std::size_t i = 0; i < structure.members.size(); ++i)
    if (const structure::AssembledMember& member = structure.members[i];
        member.law && !member.held.empty())
      members_.push_back({i, member.law, member.held, member.held_ends});
  std::size_t count = 0;
  for (const std::vector<int>& equations : sites) count += equations.size();
  influence_.resize(static_cast<Eigen::Index>(count), structure::kGroundDirections);
  Eigen::Index at = 0;
  for (const std::vector<int>& equations : sites)
    for (const int equation : equations)
      influence_.row(at++) = structure.influence.row(equation);
  reaction_ = load_ = Eigen::VectorXd::Zero(held_.influence.rows());
  if (!base_) return;
  for (const char* along :
       spatial_ ? std::vector<const char*>{"x.", "y."} : std::vector<const char*>{""}) {
    channels_.push_back({std::string("base.") + along + "shear_N", "N"});
    channels_.push_back({std::string("base.") + along + "overturning_Nm", "N.m"});
  }
}

void SupportRecord::evaluate(const StepView& step) const noexcept {
  step.excitation.held_load(step.step, !elastic_, load_);
  reaction_.noalias() = held_.stiffness * step.state.displacement;
  if (!elastic_) {
    reaction_.noalias() += held_.damping * step.state.velocity;
    reaction_.noalias() += held_.mass * step.state.acceleration;
  }
  reaction_ -= load_;
  if (step.excitation.moves_supports()) {
    using Derivative = excitation::Excitation::SupportDerivative;
    const auto add = [&](const structure::HeldDofs::Matrix& matrix, Derivative derivative) {
      step.excitation.support_motion(step.step, derivative, load_);
      reaction_.noalias() += matrix * load_;
    };
    add(held_.own_stiffness, Derivative::kDisplacement);
    if (!elastic_) {
      add(held_.own_damping, Derivative::kVelocity);
      add(held_.own_mass, Derivative::kAcceleration);
    }
  }
  for (const Spring& spring : springs_)
    structure::add_force(
        spring.held,
        step.springs.force(spring.index, step.state.displacement, step.iterated),
        reaction_);
  for (const Member& member : members_)
    for (std::size_t i = 0; i < member.held.size(); ++i)
      reaction_[member.held[i]] +=
          member.ends.col(static_cast<Eigen::Index>(i)).dot(member.law->beyond());
  if (!elastic_ && step.iterated != nullptr) add_damping(step.iterated->damping());
}

/// On the tangents of what yields, beside the damping matrix.
void SupportRecord::add_damping(const integration::TangentDamping& damping) const noexcept {
  for (const Spring& spring : springs_)
    structure::add_force(spring.held, damping.force(spring.index), reaction_);
  for (const Member& member : members_)
    if (const structure::MemberLaw::Vector* force = damping.members().force(member.index))
      for (std::size_t i = 0; i < member.held.size(); ++i)
        reaction_[member.held[i]] +=
            member.ends.col(static_cast<Eigen::Index>(i)).dot(*force);
}

void SupportRecord::write(const StepView& step, std::span<double> row) const noexcept {
  evaluate(step);
  std::size_t at = 0;
  for (const std::vector<Eigen::Index>& rows : rows_) {
    double sum = 0.0;
    for (const Eigen::Index i : rows) sum += reaction_[i];
    row[at++] = sum;
  }
  if (base_) write_base(step, row.subspan(at));
}

/// Of all forces of the ground: those of supports, and those that hold the specimens.
void SupportRecord::write_base(const StepView& step, std::span<double> row) const noexcept {
  Eigen::Matrix<double, structure::kGroundDirections, 1> sum =
      Eigen::Matrix<double, structure::kGroundDirections, 1>::Zero();
  for (Eigen::Index i = 0; i < reaction_.size(); ++i)
    sum += reaction_[i] * held_.influence.row(i).transpose();
  Eigen::Index interface = 0;
  for (const InterfaceVector& forces : step.sites)
    for (Eigen::Index i = 0; i < forces.size(); ++i)
      sum -= forces[i] * influence_.row(interface++).transpose();
  const Eigen::Vector3d force = sum.head<3>();
  const Eigen::Vector3d moment = sum.tail<3>() - about_.cross(force);
  row[0] = -force.x();
  row[1] = spatial_ ? -moment.y() : moment.z();
  if (!spatial_) return;
  row[2] = -force.y();
  row[3] = moment.x();
}

}  // namespace trestle::substructure
