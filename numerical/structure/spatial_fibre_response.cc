#include "numerical/structure/spatial_fibre_response.h"

#include "numerical/structure/gauss_points.h"

namespace trestle::structure {
namespace {

Eigen::Matrix3d spatial_tangent_at_rest(const FibreSection& section) {
  Eigen::Matrix3d tangent = Eigen::Matrix3d::Zero();
  for (const Fibre& fibre : section.fibres) {
    const Eigen::Vector3d arm(1.0, -fibre.y, fibre.z);
    tangent +=
        section.materials[static_cast<std::size_t>(fibre.material)]()->initial_stiffness() *
        fibre.area * arm * arm.transpose();
  }
  return tangent;
}

}  // namespace

SpatialFibreResponse::SpatialFibreResponse(double length, const FibreSection& section,
                                           double torsion, int points)
    : length_(length), torsion_(torsion), softening_(spatial_tangent_at_rest(section)) {
  for (const GaussPoint& gauss : gauss_points(points)) {
    const double xi = 0.5 * (1.0 + gauss.at);
    Point& point = points_.emplace_back();
    point.weight = 0.5 * gauss.weight;
    point.of_member.setZero();
    point.of_member(0, 0) = 1.0;
    point.of_member(1, 3) = point.of_member(2, 2) = 6.0 * xi - 4.0;
    point.of_member(1, 6) = point.of_member(2, 5) = 6.0 * xi - 2.0;
    for (const Fibre& fibre : section.fibres)
      point.fibres.push_back(
          {{1.0, -fibre.y, fibre.z},
           fibre.area,
           section.materials[static_cast<std::size_t>(fibre.material)]()});
  }
  for (const NamedFibre& fibre : section.named) {
    named_.push_back(fibre.fibre);
    sections_.names.push_back(fibre.name);
  }
  sections_.spatial = true;
  sections_.states.assign(points_.size(),
                          {.named = std::vector<FibreState>(named_.size())});
}

void SpatialFibreResponse::respond(const Vector& deformation, Vector& force,
                                   Matrix& tangent) noexcept {
  const double twist = torsion_ / length_;
  force.setZero();
  force[4] = twist * (deformation[4] - deformation[1]);
  force[1] = -force[4];
  tangent.setZero();
  tangent(1, 1) = tangent(4, 4) = twist;
  tangent(1, 4) = tangent(4, 1) = -twist;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    Point& point = points_[i];
    const Eigen::Vector3d strains = point.of_member * deformation / length_;
    Eigen::Vector3d forces = Eigen::Vector3d::Zero();
    Eigen::Matrix3d stiffness = Eigen::Matrix3d::Zero();
    for (PlacedFibre& fibre : point.fibres) {
      const materials::LawResponse response = fibre.law->trial(fibre.arm.dot(strains), 0.0);
      fibre.stress = response.force;
      forces += response.force * fibre.area * fibre.arm;
      stiffness += response.stiffness * fibre.area * fibre.arm * fibre.arm.transpose();
    }
    point.tangent = stiffness;
    keep(point, strains, forces, sections_.states[i]);
    force += point.weight * point.of_member.transpose() * forces;
    tangent +=
        point.weight / length_ * point.of_member.transpose() * stiffness * point.of_member;
  }
}

void SpatialFibreResponse::keep(const Point& point, const Eigen::Vector3d& strains,
                                const Eigen::Vector3d& forces,
                                SectionState& state) const noexcept {
  state.strain = strains[0];
  state.curvature = strains[1];
  state.curvature_y = strains[2];
  state.force = forces[0];
  state.moment = forces[1];
  state.moment_y = forces[2];
  for (std::size_t j = 0; j < named_.size(); ++j) {
    const PlacedFibre& fibre = point.fibres[named_[j]];
    state.named[j] = {fibre.arm.dot(strains), fibre.stress};
  }
}

void SpatialFibreResponse::commit() noexcept {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    for (const PlacedFibre& fibre : points_[i].fibres) fibre.law->commit();
    sections_.states[i].softened |= softening_.softens(points_[i].tangent);
  }
}

void SpatialFibreResponse::reset() noexcept {
  for (const Point& point : points_)
    for (const PlacedFibre& fibre : point.fibres) fibre.law->reset();
  for (SectionState& state : sections_.states) {
    state.strain = state.curvature = state.curvature_y = 0.0;
    state.force = state.moment = state.moment_y = 0.0;
    state.softened = false;
    for (FibreState& fibre : state.named) fibre = {};
  }
}

template <typename Self, typename Archive>
void SpatialFibreResponse::visit(Self& self, Archive& archive) {
  for (auto& point : self.points_)
    for (auto& fibre : point.fibres) archive(*fibre.law);
  for (auto& state : self.sections_.states) {
    archive(state.strain, state.curvature, state.curvature_y, state.force, state.moment,
            state.moment_y);
    for (auto& fibre : state.named) archive(fibre.strain, fibre.stress);
  }
}

void SpatialFibreResponse::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void SpatialFibreResponse::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::structure
