#pragma once

#include <Eigen/Core>

#include "core/base/snapshot.h"
#include "numerical/structure/section_state.h"

namespace trestle::structure {

/// Forces of a planar member in the frame of its chord: axial force and end moments by the
/// elongation of the chord and the two rotations of its ends against it. What a member is
/// made of, whatever moves it. trial() and commit() as those of MemberLaw.
class BasicResponse {
 public:
  using Vector = Eigen::Vector3d;
  using Matrix = Eigen::Matrix3d;

  virtual ~BasicResponse() = default;

  /// @param deformation  elongation [m], rotations at start and end [rad]
  /// @param force        axial, tension positive [N]; moments at start and end [N·m]
  virtual void respond(const Vector& deformation, Vector& force,
                       Matrix& tangent) noexcept = 0;
  virtual bool yields() const noexcept { return false; }
  virtual void commit() noexcept {}
  virtual void reset() noexcept {}
  virtual void save(SnapshotWriter& /*snapshot*/) const {}
  virtual void restore(SnapshotReader& /*snapshot*/) {}

  /// Its sections of fibres; null: it has none.
  virtual const MemberSections* sections() const noexcept { return nullptr; }
};

/// A prismatic elastic member: EA/L, 4EI/L, 2EI/L.
class ElasticBasicResponse final : public BasicResponse {
 public:
  /// @param length  [m]
  /// @param axial   EA [N]
  /// @param bending EI [N·m²]
  ElasticBasicResponse(double length, double axial, double bending) {
    stiffness_ << axial / length, 0.0, 0.0,  //
        0.0, 4.0 * bending / length, 2.0 * bending / length, 0.0, 2.0 * bending / length,
        4.0 * bending / length;
  }
  void respond(const Vector& deformation, Vector& force,
               Matrix& tangent) noexcept override {
    force.noalias() = stiffness_ * deformation;
    tangent = stiffness_;
  }

 private:
  Matrix stiffness_;
};

}  // namespace trestle::structure
