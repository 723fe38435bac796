#pragma once

#include <Eigen/Core>

#include "core/base/snapshot.h"
#include "numerical/structure/section_state.h"

namespace trestle::structure {

/// Forces of a spatial member in the frame of its chord, as BasicResponse those of a planar
/// one: by the elongation of the chord and the rotations of both ends against the frame,
/// about its x, y and z. Twist is the difference of the rotations about x.
class SpatialResponse {
 public:
  using Vector = Eigen::Matrix<double, 7, 1>;
  using Matrix = Eigen::Matrix<double, 7, 7>;

  virtual ~SpatialResponse() = default;

  /// @param deformation  elongation [m], rotations at the start, then at the end [rad]
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

/// Rigidities of a prismatic elastic member.
struct SpatialRigidities {
  double axial = 0.0;      ///< EA [N]
  double torsion = 0.0;    ///< GJ [N·m²]
  double bending_y = 0.0;  ///< EI about local y [N·m²]
  double bending_z = 0.0;  ///< EI about local z [N·m²]
};

/// EA/L, GJ/L, 4EI/L and 2EI/L about both axes.
class ElasticSpatialResponse final : public SpatialResponse {
 public:
  /// @param length  [m]
  ElasticSpatialResponse(double length, const SpatialRigidities& rigidities) {
    stiffness_.setZero();
    stiffness_(0, 0) = rigidities.axial / length;
    const auto put = [this](Eigen::Index turn, double own, double other) {
      stiffness_(turn, turn) = stiffness_(turn + 3, turn + 3) = own;
      stiffness_(turn, turn + 3) = stiffness_(turn + 3, turn) = other;
    };
    put(1, rigidities.torsion / length, -rigidities.torsion / length);
    put(2, 4.0 * rigidities.bending_y / length, 2.0 * rigidities.bending_y / length);
    put(3, 4.0 * rigidities.bending_z / length, 2.0 * rigidities.bending_z / length);
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
