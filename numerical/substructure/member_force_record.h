#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/types/record.h"
#include "numerical/excitation/excitation.h"
#include "numerical/structure/assembled_member.h"

namespace trestle::substructure {

/// The forces on the ends of members, as the record of steps gives them.
///
/// The forces that the nodes exert on the member, in local axes, with corotational geometry
/// those of the moved member: tension is N < 0 at the start and N > 0 at the end. Loads on
/// the member are taken out; damping and inertia are not in them. A member that is cut into
/// parts has the start of its first and the end of its last. Planar: `<member>.from.N_N`,
/// `.V_N`, `.M_Nm`; spatial: `.N_N`, `.Vy_N`, `.Vz_N`,
/// `.T_Nm`, `.My_Nm`, `.Mz_Nm`; then those of `.to`.
class MemberForceRecord {
 public:
  MemberForceRecord() = default;
  /// @param names    members to record
  /// @param members  of the structure
  MemberForceRecord(const std::vector<std::string>& names,
                    const std::vector<structure::AssembledMember>& members,
                    const excitation::Excitation& excitation);

  bool empty() const noexcept { return ends_.empty(); }
  const Channels& channels() const noexcept { return channels_; }

  /// Does not allocate.
  /// @pre row.size() == channels().size()
  void write(const Eigen::VectorXd& displacement, const excitation::Excitation& excitation,
             std::int64_t step, std::span<double> row) const noexcept;

 private:
  struct LoadShare {
    std::size_t load;  // of the excitation; kGravity: at all times
    Eigen::VectorXd forces;
  };
  struct End {
    std::vector<int> equations;
    Eigen::MatrixXd forces;  // by displacements of these
    std::vector<int> held;   // rows of held DOFs, if supports move
    Eigen::MatrixXd held_forces;
    std::vector<LoadShare> loads;
    std::shared_ptr<const structure::MemberLaw> law;  // null: none
    Eigen::Index first = 0;                           // of its end coordinates
  };
  static constexpr std::size_t kGravity = static_cast<std::size_t>(-1);

  void add(const structure::AssembledMember& member, std::size_t index, bool end,
           const excitation::Excitation& excitation);
  static void add_law(const End& end, std::span<double> forces) noexcept;

  std::vector<End> ends_;
  mutable Eigen::VectorXd supports_;  // displacements of held DOFs; size zero: at rest
  Channels channels_;
};

}  // namespace trestle::substructure
