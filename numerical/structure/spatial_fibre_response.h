#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <vector>

#include "numerical/structure/fibre_section.h"
#include "numerical/structure/section_softening.h"
#include "numerical/structure/spatial_response.h"

namespace trestle::structure {

/// A spatial member whose sections are made of fibres, as FibreResponse a planar one, bent
/// about both axes; torsion is elastic and by itself. With g = (6ξ − 4, 6ξ − 2)
///
///   ε₀ = δ/L,   κ_z = g·(θ_z1, θ_z2)/L,   κ_y = g·(θ_y1, θ_y2)/L,   ε = ε₀ − y·κ_z +
///   z·κ_y, N = Σ σ·A,   M_z = −Σ y·σ·A,   M_y = Σ z·σ·A,   T = GJ·(θ_x2 − θ_x1)/L.
class SpatialFibreResponse final : public SpatialResponse {
 public:
  /// @param length   [m]
  /// @param torsion  GJ [N·m²]
  /// @param points   sections along it, as those of FibreResponse
  SpatialFibreResponse(double length, const FibreSection& section, double torsion,
                       int points);

  void respond(const Vector& deformation, Vector& force, Matrix& tangent) noexcept override;
  bool yields() const noexcept override { return true; }
  void commit() noexcept override;
  void reset() noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;
  const MemberSections* sections() const noexcept override { return &sections_; }

 private:
  struct PlacedFibre {
    Eigen::Vector3d arm;  // 1, −y, z: its strain by ε₀, κ_z, κ_y
    double area;
    std::unique_ptr<materials::RestoringForce> law;
    double stress = 0.0;  // of the latest trial
  };
  struct Point {
    double weight;                          // of a sum that is 1
    Eigen::Matrix<double, 3, 7> of_member;  // L·(ε₀, κ_z, κ_y) by the deformation
    std::vector<PlacedFibre> fibres;
    Eigen::Matrix3d tangent =
        Eigen::Matrix3d::Zero();  // of N, M_z, M_y by ε₀, κ_z, κ_y, at the latest trial
  };

  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  void keep(const Point& point, const Eigen::Vector3d& strains,
            const Eigen::Vector3d& forces, SectionState& state) const noexcept;

  double length_;
  double torsion_;
  std::vector<Point> points_;
  std::vector<std::size_t> named_;  // fibres of each point
  MemberSections sections_;
  SectionSoftening<3> softening_;
};

}  // namespace trestle::structure
