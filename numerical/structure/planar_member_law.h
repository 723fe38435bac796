#pragma once

#include <array>
#include <memory>
#include <optional>

#include "numerical/structure/basic_response.h"
#include "numerical/structure/chord_motion.h"
#include "numerical/structure/member_law.h"

namespace trestle::structure {

/// A planar member by the response in the frame of its chord. Corotational (Crisfield 1991,
/// ch. 7): with the chord's present length l and rotation β
///
///   deformation v = (l − L, θ₁ − β, θ₂ − β),   f = Bᵀ·q(v),
///   tangent = Bᵀ·k·B + N/l·z·zᵀ + (M₁ + M₂)/l²·(r·zᵀ + z·rᵀ),
///
/// r = (−c, −s, 0, c, s, 0), z = (s, −c, 0, −s, c, 0), B = (r; e₃ − z/l; e₆ − z/l). Strains
/// stay small; displacements and rotations do not. Rotations against the chord are taken
/// within half a turn of it. A member that was committed beyond that has lost its sense:
/// its forces are no numbers from then on.
class PlanarMemberLaw final : public MemberLaw {
 public:
  /// @param length  at rest [m], > 0
  PlanarMemberLaw(double length, ChordMotion chord,
                  std::unique_ptr<BasicResponse> response);

  bool yields() const noexcept override { return response_->yields(); }
  bool follows_chord() const noexcept override {
    return chord_ == ChordMotion::kCorotational;
  }
  Eigen::Matrix3d turned() const noexcept override;
  void commit() noexcept override;
  const MemberSections* sections() const noexcept override { return response_->sections(); }

 private:
  void respond(const Vector& ends, Vector& force, Matrix& tangent) noexcept override;
  void reset_memory() noexcept override;
  void save_memory(SnapshotWriter& snapshot) const override;
  void restore_memory(SnapshotReader& snapshot) override;

  double length_;
  ChordMotion chord_;
  std::unique_ptr<BasicResponse> response_;
  // Of the latest trial:
  double cosine_ = 1.0;  // of the chord's rotation
  double sine_ = 0.0;
  std::array<double, 2> turn_{};  // of the ends against the chord [rad]
  double bend_ = 0.0;             // the end's rotation less the start's, as they came
  // Committed. Of a snapshot: not known before the first commit.
  std::optional<std::array<double, 2>> last_turn_{std::array<double, 2>{}};
  bool lost_ = false;
};

}  // namespace trestle::structure
