#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <vector>

#include "numerical/structure/basic_response.h"
#include "numerical/structure/fibre_section.h"
#include "numerical/structure/section_softening.h"

namespace trestle::structure {

/// A member whose sections are made of fibres, by displacements: cubic across and linear
/// along, sections at Gauss–Legendre points. With ξ from 0 to 1,
///
///   ε₀ = δ/L,   κ = ((6ξ − 4)·θ₁ + (6ξ − 2)·θ₂)/L,   ε = ε₀ − y·κ,
///   N = Σ σ·A,  M = −Σ y·σ·A,   q = Σ w·(N, (6ξ − 4)·M, (6ξ − 2)·M).
class FibreResponse final : public BasicResponse {
 public:
  static constexpr int kFewestPoints = 2;
  static constexpr int kMostPoints = 5;

  /// @param length  [m]
  /// @param points  sections along it, kFewestPoints to kMostPoints
  FibreResponse(double length, const FibreSection& section, int points);

  void respond(const Vector& deformation, Vector& force, Matrix& tangent) noexcept override;
  bool yields() const noexcept override { return true; }
  void commit() noexcept override;
  void reset() noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;
  const MemberSections* sections() const noexcept override { return &sections_; }

 private:
  struct PlacedFibre {
    double y;
    double area;
    std::unique_ptr<materials::RestoringForce> law;
    double stress = 0.0;  // of the latest trial
  };
  struct Point {
    double weight;                   // of a sum that is 1
    Eigen::RowVector2d of_rotation;  // 6ξ − 4, 6ξ − 2
    std::vector<PlacedFibre> fibres;
    Eigen::Matrix2d tangent =
        Eigen::Matrix2d::Zero();  // of N, M by ε₀, κ, at the latest trial
  };

  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);

  double length_;
  std::vector<Point> points_;
  std::vector<std::size_t> named_;  // fibres of each point
  MemberSections sections_;
  SectionSoftening<2> softening_;
};

}  // namespace trestle::structure
