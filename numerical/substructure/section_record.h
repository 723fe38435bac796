#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/ports/numerical_substructure.h"
#include "core/types/record.h"
#include "numerical/structure/assembled_member.h"

namespace trestle::substructure {

/// Sections of members of fibres, as the record of steps gives them: `<member>.p1` is the
/// first Gauss point from the member's start, counted on over its parts. Strain at y = 0
/// and curvature, axial force and moment, then strain and stress of named fibres:
/// `<member>.p1.eps0`, `.kappa_1_m`, `.N_N`, `.M_Nm`, `<member>.p1.<fibre>.strain`,
/// `.stress_Pa`. Of a spatial member `.kappa_z_1_m`, `.kappa_y_1_m`, `.N_N`, `.Mz_Nm`,
/// `.My_Nm` in the place of three of them. They are those that the members' forces of the
/// step come from.
///
/// A section that softens is told, whether it is recorded or not.
class SectionRecord final : public ModelNotices {
 public:
  SectionRecord() = default;
  /// @param names    members to record
  /// @param members  of the structure
  SectionRecord(const std::vector<std::string>& names,
                const std::vector<structure::AssembledMember>& members);

  const Channels& channels() const noexcept { return channels_; }

  /// Does not allocate.
  /// @pre row.size() == channels().size()
  void write(std::span<double> row) const noexcept;

  /// Sections that have softened since the beginning.
  std::size_t count() const noexcept override;
  std::vector<std::string> sentences() const override;

 private:
  void name_channels(const std::string& point, const structure::MemberSections& sections);

  /// A member of fibres, or a part of one.
  struct Watched {
    std::string member;
    std::size_t before = 0;  ///< sections of the member's parts before this one
    std::shared_ptr<const structure::MemberLaw> law;
  };

  std::vector<Watched> watched_;  // all of the structure
  std::vector<std::shared_ptr<const structure::MemberLaw>> members_;
  Channels channels_;
};

}  // namespace trestle::substructure
