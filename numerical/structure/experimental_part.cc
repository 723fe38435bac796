#include "numerical/structure/experimental_part.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/nearest_name.h"
#include "core/base/setting_error.h"
#include "numerical/structure/site_base.h"

namespace trestle::structure {
namespace {

std::string size_of(const Eigen::MatrixXd& matrix) {
  return std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols());
}

class Scatter {
 public:
  Scatter(const StructuralModel& structure, std::span<const std::string> fixed)
      : structure_(structure), fixed_(fixed) {
    for (const NamedDof& dof : structure.dofs) equations_.emplace(dof.name, dof.equation);
  }

  void add(const ExperimentalPart& part, const std::string& path) {
    std::vector<int> rows;
    for (std::size_t j = 0; j < part.dofs.size(); ++j) {
      const std::string& name = part.dofs[j];
      const std::string here = path + dof_path(part, j);
      const auto found = equations_.find(name);
      if (found == equations_.end()) {
        problems_.push_back({here, missing(name)});
      } else {
        rows.push_back(found->second);
      }
      const auto [claim, first] = owners_.emplace(name, part.site);
      if (!first)
        problems_.push_back(
            {here, claim->second == part.site
                       ? name + " stands twice in the interface of " + part.site +
                             "; name each DOF once" +
                             (part.force_only > 0 ? ", as controlled or as force-only" : "")
                       : "sites " + claim->second + " and " + part.site + " both claim " +
                             name + "; one DOF belongs to one site"});
    }
    if (rows.size() != part.dofs.size()) return;
    add(part.mass, rows, mass_, path, "mass");
    add(part.damping, rows, damping_, path, "damping");
    add(part.stiffness, rows, stiffness_, path, "stiffness");
    if (part.elastic_stiffness.size() > 0 && part.elastic_stiffness != part.stiffness)
      add(part.stiffness - part.elastic_stiffness, rows, yielding_, path, "stiffness");
    add(part.own_damping, rows, own_damping_, path, "damping");
    if (!part.support.empty()) add_rows_of_support(part, rows, path);
    if (part.own_mass.size() == 0) return;
    add(part.own_mass, rows, own_mass_, path, "mass");
    if (!part.base_moves) add_base_load(part, rows);
  }

  void finish(StructuralModel& structure) {
    if (!problems_.empty()) throw SettingError(std::move(problems_));
    const auto fill = [](SparseMatrix& matrix, const Triplets& entries, int n) {
      matrix.resize(n, n);
      matrix.setFromTriplets(entries.begin(), entries.end());
    };
    fill(structure.experimental_mass, mass_, structure.equations);
    fill(structure.experimental_damping, damping_, structure.equations);
    fill(structure.experimental_stiffness, stiffness_, structure.equations);
    if (!yielding_.empty())
      fill(structure.experimental_yielding, yielding_, structure.equations);
    const auto add_to = [&](SparseMatrix& matrix, const Triplets& entries) {
      if (entries.empty()) return;  // not even a structural zero: the same bits
      SparseMatrix own;
      fill(own, entries, structure.equations);
      matrix += own;
    };
    add_to(structure.mass, own_mass_);
    add_to(structure.damping, own_damping_);
    for (const BaseLoad& load : base_loads_) structure.base_load.row(load.row) -= load.mass;
    HeldDofs& held = structure.held;
    if (!on_supports_) return;
    const auto fill_rows = [&](HeldDofs::Matrix& matrix, const Triplets& entries) {
      matrix.resize(held.size(), structure.equations);
      matrix.setFromTriplets(entries.begin(), entries.end());
    };
    fill_rows(held.site_stiffness, of_supports_.stiffness);
    fill_rows(held.site_elastic_stiffness, of_supports_.elastic);
    fill_rows(held.site_damping, of_supports_.damping);
    fill_rows(held.site_mass, of_supports_.mass);
    fill_rows(held.site_coupled_mass, of_supports_.coupled_mass);
  }

 private:
  using Triplets = std::vector<Eigen::Triplet<double>>;
  struct BaseLoad {
    int row;
    Eigen::RowVectorXd mass;  // by direction
  };

  struct RowsOfSupports {
    Triplets stiffness;
    Triplets elastic;
    Triplets damping;
    Triplets mass;
    Triplets coupled_mass;
  };

  /// −Bᵀ·(matrix), B what its interface moves by with its support: forces are of motions
  /// relative to that.
  static void couple(const Eigen::MatrixXd& matrix, const SiteBase& base,
                     const std::vector<int>& rows, Triplets& into) {
    if (matrix.rows() != base.influence.rows()) return;  // none, or told by add()
    const Eigen::MatrixXd coupled = -base.influence.transpose() * matrix;
    for (std::size_t i = 0; i < base.rows.size(); ++i)
      for (std::size_t j = 0; j < rows.size(); ++j)
        into.emplace_back(
            base.rows[i], rows[j],
            coupled(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
  }

  void add_rows_of_support(const ExperimentalPart& part, const std::vector<int>& rows,
                           const std::string& path) {
    const SiteBase base = site_base(structure_, rows, part.support);
    if (base.rows.empty()) {
      std::vector<std::string> known;
      for (const HeldDof& dof : structure_.held.dofs)
        known.push_back(dof.name.substr(0, dof.name.rfind('.')));
      problems_.push_back({path + ".support", "no support holds a node `" + part.support +
                                                  "`" + suggest(part.support, known)});
      return;
    }
    refuse_free_support(part, rows, path);
    on_supports_ = true;
    couple(part.stiffness, base, rows, of_supports_.stiffness);
    couple(part.elastic_stiffness.size() > 0 ? part.elastic_stiffness : part.stiffness,
           base, rows, of_supports_.elastic);
    couple(part.own_damping, base, rows, of_supports_.damping);
    if (part.own_mass.size() == 0) return;
    couple(part.own_mass, base, rows, of_supports_.mass);
    couple(part.own_mass, base, rows, of_supports_.coupled_mass);
    add_carried_mass(part, base, rows, of_supports_.coupled_mass);
    if (!part.base_moves) add_carried_mass(part, base, rows, of_supports_.mass);
  }

  /// What a support is free to do, no target could be relative to.
  void refuse_free_support(const ExperimentalPart& part, const std::vector<int>& rows,
                           const std::string& path) {
    constexpr std::array<const char*, 3> kAlong{"x", "y", "z"};
    for (std::size_t k = 0; k < kAlong.size(); ++k) {
      const std::string name = part.support + "." + kAlong[k];
      const auto along = static_cast<Eigen::Index>(k);
      if (std::any_of(rows.begin(), rows.end(),
                      [&](int row) { return structure_.influence(row, along) != 0.0; }) &&
          std::any_of(structure_.dofs.begin(), structure_.dofs.end(),
                      [&](const NamedDof& dof) { return dof.name == name; }))
        problems_.push_back({path + ".support",
                             "`" + part.support + "` is free along " + kAlong[k] +
                                 ", where the interface moves; name a node that supports "
                                 "hold there"});
    }
  }

  /// The ground's acceleration of the mass itself: what the specimen answers for if its
  /// base moves by itself. Lumped at the interface, it is own_mass·B, and nothing is left.
  void add_carried_mass(const ExperimentalPart& part, const SiteBase& base,
                        const std::vector<int>& rows, Triplets& into) {
    Eigen::MatrixXd carried = part.own_mass * base.influence;
    constexpr std::array<const char*, 3> kAlong{".x", ".y", ".z"};
    for (std::size_t i = 0; i < base.rows.size(); ++i) {
      const HeldDof& dof = structure_.held.dofs[static_cast<std::size_t>(base.rows[i])];
      for (std::size_t k = 0; k < kAlong.size(); ++k)
        if (dof.name.ends_with(kAlong[k]) &&
            static_cast<Eigen::Index>(k) < part.base_mass.cols())
          carried.col(static_cast<Eigen::Index>(i)) =
              part.base_mass.col(static_cast<Eigen::Index>(k));
      for (std::size_t j = 0; j < rows.size(); ++j)
        into.emplace_back(
            base.rows[i], rows[j],
            carried(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)));
    }
  }

  /// Its mass times what its DOFs move by as the ground does.
  void add_base_load(const ExperimentalPart& part, const std::vector<int>& rows) {
    Eigen::MatrixXd influence =
        Eigen::MatrixXd::Zero(part.own_mass.rows(), kGroundDirections);
    constexpr std::array<const char*, 3> kAlong{".x", ".y", ".z"};
    for (Eigen::Index j = 0; j < influence.rows(); ++j) {
      const auto at = static_cast<std::size_t>(j);
      if (structure_.influence.size() > 0)
        influence.row(j) = structure_.influence.row(rows[at]);
      else
        for (std::size_t k = 0; k < kAlong.size(); ++k)
          if (part.dofs[at].ends_with(kAlong[k]))
            influence(j, static_cast<Eigen::Index>(k)) = 1.0;
    }
    Eigen::MatrixXd base = part.own_mass * influence;
    if (part.base_mass.size() > 0) base.leftCols(part.base_mass.cols()) = part.base_mass;
    for (std::size_t j = 0; j < rows.size(); ++j)
      base_loads_.push_back({rows[j], base.row(static_cast<Eigen::Index>(j))});
  }

  std::string missing(const std::string& name) const {
    for (const SlaveDof& slave : structure_.details.slaves)
      if (slave.name == name)
        return "interface DOF " + name + " follows " + slave.master + "; take " +
               slave.master + ", its master";
    if (std::find(fixed_.begin(), fixed_.end(), name) != fixed_.end())
      return "interface DOF " + name +
             " is fixed by a support of the model; free it there, or take it out here";
    std::vector<std::string> known;
    known.reserve(structure_.dofs.size());
    for (const NamedDof& dof : structure_.dofs) known.push_back(dof.name);
    return "the model has no DOF `" + name + "`" + suggest(name, known);
  }

  void add(const Eigen::MatrixXd& matrix, const std::vector<int>& rows, Triplets& into,
           const std::string& path, const char* what) {
    if (matrix.size() == 0) return;  // nothing known
    const auto n = static_cast<Eigen::Index>(rows.size());
    if (matrix.rows() != n || matrix.cols() != n) {
      problems_.push_back({path, std::string("the specimen's ") + what + " is " +
                                     size_of(matrix) + "; the interface has " +
                                     std::to_string(n) + " DOFs"});
      return;
    }
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        if (matrix(i, j) != 0.0)
          into.emplace_back(rows[static_cast<std::size_t>(i)],
                            rows[static_cast<std::size_t>(j)], matrix(i, j));
  }

  const StructuralModel& structure_;
  std::span<const std::string> fixed_;
  std::unordered_map<std::string, int> equations_;
  std::unordered_map<std::string, std::string> owners_;
  Triplets mass_;
  Triplets damping_;
  Triplets stiffness_;
  Triplets yielding_;
  Triplets own_mass_;
  Triplets own_damping_;
  RowsOfSupports of_supports_;
  bool on_supports_ = false;
  std::vector<BaseLoad> base_loads_;
  std::vector<SettingIssue> problems_;
};

}  // namespace

void add_experimental_parts(StructuralModel& structure,
                            std::span<const ExperimentalPart> parts,
                            std::span<const std::string> fixed, const std::string& path) {
  Scatter scatter(structure, fixed);
  for (std::size_t i = 0; i < parts.size(); ++i)
    scatter.add(parts[i], path + "[" + std::to_string(i) + "]");
  scatter.finish(structure);
}

}  // namespace trestle::structure
