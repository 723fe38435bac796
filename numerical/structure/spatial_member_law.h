#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>

#include "numerical/structure/chord_motion.h"
#include "numerical/structure/member_law.h"
#include "numerical/structure/spatial_response.h"

namespace trestle::structure {

/// A spatial member by the response in the frame of its chord. Corotational (Crisfield
/// 1990; in the form of Battini & Pacoste 2002): rotations of its ends are rotation vectors
/// θ, total and added up: the triad of an end is Rᵢ = exp(θᵢ×), so that nothing is
/// remembered from step to step. The member's frame R has its x along the chord and its y
/// in the plane of the chord and of the mean of the local y of both ends. With l the
/// present length
///
///   deformation v = (l − L, log RᵀR₁, log RᵀR₂),   f = Jᵀ·q(v),   J = ∂v/∂u.
///
/// The moments of f are those that do work on θ, m_θ = Sᵀ(θ)·m (finite_rotation.h), and the
/// tangent is symmetric where that of q is. Strains stay small. Rotations against the chord
/// are taken within half a turn of it, and so is the twist between the ends; the rotation
/// of an end has no sense at whole turns, where S is singular. A member that was committed
/// beyond one of them has lost its sense: its forces are no numbers from then on.
class SpatialMemberLaw final : public MemberLaw {
 public:
  /// @param length  at rest [m], > 0
  SpatialMemberLaw(double length, ChordMotion chord,
                   std::unique_ptr<SpatialResponse> response);

  bool yields() const noexcept override { return response_->yields(); }
  bool follows_chord() const noexcept override {
    return chord_ == ChordMotion::kCorotational;
  }
  Eigen::Matrix3d turned() const noexcept override { return axes_; }
  Eigen::Matrix3d turned_moment(int end) const noexcept override;
  void commit() noexcept override;
  const MemberSections* sections() const noexcept override { return response_->sections(); }

 private:
  static constexpr int kEnds = 2;
  using Ends = Eigen::Matrix<double, 12, 1>;
  using EndsMatrix = Eigen::Matrix<double, 12, 12>;
  using Row = Eigen::Matrix<double, 1, 12>;
  using Rows = Eigen::Matrix<double, 3, 12>;
  using BasicByEnds = Eigen::Matrix<double, 7, 12>;

  /// The moved member. Columns of matrices are spins and displacements of the ends, in the
  /// axes of its frame.
  struct Moved {
    double length = 0.0;
    double elongation = 0.0;
    std::array<Eigen::Vector3d, kEnds> mark;    ///< y of each end
    std::array<Eigen::Vector3d, kEnds> turn;    ///< against the chord, as a vector
    std::array<Eigen::Matrix3d, kEnds> vector;  ///< S⁻¹ of it
    Eigen::Vector3d mean;                       ///< of the marks; its z is zero
    Rows frame;                                 ///< spin of the frame
    std::array<Rows, kEnds> spin;               ///< of the ends against the frame
  };

  void respond(const Vector& ends, Vector& force, Matrix& tangent) noexcept override;
  void reset_memory() noexcept override;
  void save_memory(SnapshotWriter& snapshot) const override;
  void restore_memory(SnapshotReader& snapshot) override;

  static Moved at_rest(double length) noexcept;
  Moved move(const Ends& ends) noexcept;
  static void find_spins(Moved& moved) noexcept;
  /// Change of the deformation by spins.
  static BasicByEnds by_spins(const Moved& moved) noexcept;
  void respond_small(const Vector& ends, Vector& force, Matrix& tangent) noexcept;
  /// Tangent of a force in the axes of the frame by spins, moments of the ends constant.
  static EndsMatrix geometric(const Moved& moved, const Ends& force,
                              const Eigen::Vector3d& moment) noexcept;

  double length_;
  ChordMotion chord_;
  std::unique_ptr<SpatialResponse> response_;
  // Of the latest trial:
  Eigen::Matrix3d axes_ = Eigen::Matrix3d::Identity();  // rows: of the frame
  std::array<Eigen::Matrix3d, kEnds> by_vector_;        // S of each end
  std::array<Eigen::Vector3d, kEnds> turn_;             // against the chord
  double largest_ = 0.0;                                // |θ| of its ends [rad]
  // Committed:
  std::array<Eigen::Vector3d, kEnds> last_turn_;
  bool lost_ = false;
};

}  // namespace trestle::structure
