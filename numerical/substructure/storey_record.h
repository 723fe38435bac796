#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/types/record.h"
#include "numerical/structure/structural_model.h"
#include "numerical/substructure/step_view.h"

namespace trestle::substructure {

/// One storey in one horizontal direction.
struct StoreyDirection {
  /// A member between the two levels.
  struct Column {
    std::size_t member = 0;  ///< place in the structure: the part at the upper level
    bool upper_is_end = true;
  };
  /// A DOF of a specimen at the upper level.
  struct Specimen {
    std::size_t site = 0;
    Eigen::Index dof = 0;  ///< of its interface
  };

  std::string name;           ///< of its channels: `s1`, in space `s1.x`
  Eigen::Index along{};       ///< global x or y
  double height = 0.0;        ///< [m], > 0
  structure::DofTerms drift;  ///< mean of the level above less mean of the level below
  std::vector<Column> columns;
  std::vector<Specimen> specimens;
};

/// Drifts and shears of storeys, as the record of steps gives them: `<storey>.drift_m`,
/// `.drift_ratio` (drift over height) and `.shear_N`, the sum of the horizontal forces on
/// the upper ends of the columns, braces and specimens between its levels, positive with a
/// drift along +x. Loads on members are taken out; damping and inertia are not in it, nor
/// are springs and links. Specimens as they answered.
class StoreyRecord {
 public:
  StoreyRecord() = default;
  StoreyRecord(const std::vector<StoreyDirection>& storeys,
               const std::vector<structure::AssembledMember>& members,
               const excitation::Excitation& excitation);

  bool empty() const noexcept { return storeys_.empty(); }
  const Channels& channels() const noexcept { return channels_; }

  /// Does not allocate.
  /// @pre row.size() == channels().size()
  void write(const StepView& step, std::span<double> row) const noexcept;

 private:
  struct LoadShare {
    std::size_t load;  // of the excitation; kGravity: at all times
    double force;
  };
  struct LawShare {
    std::shared_ptr<const structure::MemberLaw> law;
    Eigen::VectorXd along;  // of its end coordinates
  };
  struct Storey {
    structure::DofTerms drift;
    double height;
    structure::DofTerms shear;  // of the displacements of equations
    std::vector<LoadShare> loads;
    std::vector<LawShare> laws;
    std::vector<StoreyDirection::Specimen> specimens;
  };
  static constexpr std::size_t kGravity = static_cast<std::size_t>(-1);

  static void add_column(const StoreyDirection::Column& column, Eigen::Index along,
                         const structure::AssembledMember& member,
                         const excitation::Excitation& excitation, Storey& storey);

  std::vector<Storey> storeys_;
  Channels channels_;
};

}  // namespace trestle::substructure
