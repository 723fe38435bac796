#pragma once

#include <Eigen/Core>

#include "core/base/snapshot.h"
#include "numerical/structure/section_state.h"

namespace trestle::structure {

/// Force of one member by its end coordinates, with its memory, beside the constant
/// stiffness K₀ that the structure's matrix has of it: f(u) = K₀·u + g(u). End coordinates
/// are those of AssembledMember, in the local axes of the member at rest.
///
/// trial() tries a motion from the state that was committed last; a second trial forgets
/// the first. commit() makes the motion of the latest trial the state. No call but the
/// constructor allocates.
class MemberLaw {
 public:
  static constexpr int kMostCoordinates = 12;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostCoordinates, 1>;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostCoordinates,
                               kMostCoordinates>;

  virtual ~MemberLaw() = default;
  MemberLaw(const MemberLaw&) = delete;
  MemberLaw& operator=(const MemberLaw&) = delete;

  /// K₀, the tangent at rest.
  const Matrix& initial() const noexcept { return initial_; }
  /// @param ends  u [m | rad]
  void trial(const Vector& ends) noexcept;
  /// g of the latest trial [N | N·m].
  const Vector& beyond() const noexcept { return beyond_; }
  /// Derivative of g by u, of the latest trial; symmetric.
  const Matrix& tangent_beyond() const noexcept { return tangent_; }

  /// Its material can yield.
  virtual bool yields() const noexcept { return false; }
  /// It follows its chord exactly, at any displacement.
  virtual bool follows_chord() const noexcept { return false; }
  /// Rows: local axes of the member at the latest trial, in those at rest.
  virtual Eigen::Matrix3d turned() const noexcept { return Eigen::Matrix3d::Identity(); }

  virtual void commit() noexcept {}
  void reset() noexcept;
  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

  /// Its sections of fibres; null: it has none.
  virtual const MemberSections* sections() const noexcept { return nullptr; }

  /// Moments on an end (0: start, 1: end) in the axes of turned(), by the moments in g,
  /// which do work on the end's rotations. Of a spatial member.
  virtual Eigen::Matrix3d turned_moment(int /*end*/) const noexcept { return turned(); }

 protected:
  /// @param coordinates  6 in a planar frame, 12 in a spatial one
  explicit MemberLaw(Eigen::Index coordinates);
  /// Finds K₀. To be called once, by the constructor of the class that responds.
  void begin() noexcept;

  /// Sets force f and tangent at a trial.
  virtual void respond(const Vector& ends, Vector& force, Matrix& tangent) noexcept = 0;
  virtual void reset_memory() noexcept {}
  virtual void save_memory(SnapshotWriter& /*snapshot*/) const {}
  virtual void restore_memory(SnapshotReader& /*snapshot*/) {}

 private:
  Matrix initial_;
  Vector beyond_;
  Matrix tangent_;
};

}  // namespace trestle::structure
