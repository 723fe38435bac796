#include "numerical/structure/fibre_response.h"

#include "numerical/structure/gauss_points.h"

namespace trestle::structure {
namespace {

Eigen::Matrix2d planar_tangent_at_rest(const FibreSection& section) {
  Eigen::Matrix2d tangent = Eigen::Matrix2d::Zero();
  for (const Fibre& fibre : section.fibres) {
    const Eigen::Vector2d arm(1.0, -fibre.y);
    tangent +=
        section.materials[static_cast<std::size_t>(fibre.material)]()->initial_stiffness() *
        fibre.area * arm * arm.transpose();
  }
  return tangent;
}

}  // namespace

FibreResponse::FibreResponse(double length, const FibreSection& section, int points)
    : length_(length), softening_(planar_tangent_at_rest(section)) {
  for (const GaussPoint& gauss : gauss_points(points)) {
    const double xi = 0.5 * (1.0 + gauss.at);
    Point& point = points_.emplace_back();
    point.weight = 0.5 * gauss.weight;
    point.of_rotation << 6.0 * xi - 4.0, 6.0 * xi - 2.0;
    for (const Fibre& fibre : section.fibres)
      point.fibres.push_back(
          {fibre.y, fibre.area,
           section.materials[static_cast<std::size_t>(fibre.material)]()});
  }
  for (const NamedFibre& fibre : section.named) {
    named_.push_back(fibre.fibre);
    sections_.names.push_back(fibre.name);
  }
  sections_.states.assign(points_.size(),
                          {.named = std::vector<FibreState>(named_.size())});
}

void FibreResponse::respond(const Vector& deformation, Vector& force,
                            Matrix& tangent) noexcept {
  force.setZero();
  tangent.setZero();
  const double axial = deformation[0] / length_;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    Point& point = points_[i];
    SectionState& state = sections_.states[i];
    const double curvature = point.of_rotation.dot(deformation.tail<2>()) / length_;
    double N = 0.0;
    double M = 0.0;
    double EA = 0.0;
    double ES = 0.0;
    double EI = 0.0;
    for (PlacedFibre& fibre : point.fibres) {
      const materials::LawResponse response =
          fibre.law->trial(axial - fibre.y * curvature, 0.0);
      fibre.stress = response.force;
      const double pull = response.force * fibre.area;
      const double stiffness = response.stiffness * fibre.area;
      N += pull;
      M -= fibre.y * pull;
      EA += stiffness;
      ES -= fibre.y * stiffness;
      EI += fibre.y * fibre.y * stiffness;
    }
    state.strain = axial;
    state.curvature = curvature;
    state.force = N;
    state.moment = M;
    for (std::size_t j = 0; j < named_.size(); ++j) {
      const PlacedFibre& fibre = point.fibres[named_[j]];
      state.named[j] = {axial - fibre.y * curvature, fibre.stress};
    }
    point.tangent << EA, ES, ES, EI;
    const Eigen::RowVector2d& g = point.of_rotation;
    force[0] += point.weight * N;
    force.tail<2>() += point.weight * M * g.transpose();
    tangent(0, 0) += point.weight / length_ * EA;
    tangent.block<1, 2>(0, 1) += point.weight / length_ * ES * g;
    tangent.block<2, 1>(1, 0) += point.weight / length_ * ES * g.transpose();
    tangent.block<2, 2>(1, 1) += point.weight / length_ * EI * g.transpose() * g;
  }
}

void FibreResponse::commit() noexcept {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    for (const PlacedFibre& fibre : points_[i].fibres) fibre.law->commit();
    sections_.states[i].softened |= softening_.softens(points_[i].tangent);
  }
}

void FibreResponse::reset() noexcept {
  for (const Point& point : points_)
    for (const PlacedFibre& fibre : point.fibres) fibre.law->reset();
  for (SectionState& state : sections_.states) {
    state.strain = state.curvature = state.force = state.moment = 0.0;
    state.softened = false;
    for (FibreState& fibre : state.named) fibre = {};
  }
}

template <typename Self, typename Archive>
void FibreResponse::visit(Self& self, Archive& archive) {
  for (auto& point : self.points_)
    for (auto& fibre : point.fibres) archive(*fibre.law);
  for (auto& state : self.sections_.states) {
    archive(state.strain, state.curvature, state.force, state.moment);
    for (auto& fibre : state.named) archive(fibre.strain, fibre.stress);
  }
}

void FibreResponse::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void FibreResponse::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::structure
