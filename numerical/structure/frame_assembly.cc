#include "numerical/structure/frame_assembly.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "numerical/materials/gap_law.h"
#include "numerical/structure/beam_column.h"
#include "numerical/structure/constraint_rules.h"
#include "numerical/structure/frame_numbering.h"
#include "numerical/structure/member_laws.h"
#include "numerical/structure/space_beam.h"

namespace trestle::structure {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

class FrameAssembler {
 public:
  explicit FrameAssembler(FrameModel model) : model_(std::move(model)), numbering_(model_) {
    structure_.equations = numbering_.equations();
    structure_.dofs = numbering_.dofs();
    structure_.spatial = model_.spatial;
    structure_.details.slaves = numbering_.slaves();
    structure_.influence = numbering_.rigid_motion();
  }

  StructuralModel build() {
    const int n = structure_.equations;
    structure_.base_load = Eigen::MatrixXd::Zero(n, kGroundDirections);
    structure_.held.dofs = numbering_.held_dofs();
    add_ground();
    const auto held = structure_.held.size();
    structure_.held.base_load = Eigen::MatrixXd::Zero(held, kGroundDirections);
    add_members();
    structure_.member_base_load = structure_.base_load;
    structure_.held.member_base_load = structure_.held.base_load;
    add_masses();
    add_springs();
    add_hinges();
    add_links();
    structure_.mass = matrix(mass_);
    structure_.stiffness = matrix(stiffness_);
    structure_.damping = matrix(damping_);
    structure_.experimental_mass.resize(n, n);
    structure_.experimental_damping.resize(n, n);
    structure_.experimental_stiffness.resize(n, n);
    finish_held();
    return std::move(structure_);
  }

 private:
  static void add(Triplets& to, const DofTerms& rows, const DofTerms& columns,
                  double value) {
    if (value == 0.0) return;
    for (const DofTerm& row : rows)
      for (const DofTerm& column : columns)
        to.emplace_back(row.equation, column.equation,
                        row.coefficient * column.coefficient * value);
  }

  /// The ground of springs to it, as DOFs that it holds: one at each node of a spring,
  /// since their forces turn the structure by where they act.
  void add_ground() {
    ground_.resize(model_.nodes.size());
    for (auto& rows : ground_) rows.fill(-1);
    const auto named = [this](const std::string& name) {
      return std::any_of(model_.nodes.begin(), model_.nodes.end(),
                         [&name](const FrameNode& node) { return node.name == name; });
    };
    const std::string ground = named("ground") ? "ground_of_springs" : "ground";
    for (const FrameSpring& spring : model_.springs) {
      const auto dof = static_cast<std::size_t>(spring.dof);
      if (spring.to >= 0) continue;
      int& row = ground_[place(spring.node)][dof];
      if (row >= 0) continue;
      row = static_cast<int>(structure_.held.dofs.size());
      const FrameNode& at = model_.nodes[place(spring.node)];
      structure_.held.dofs.push_back(
          {.name = ground + "." + kNodeDofNames[dof],
           .kind = is_rotation(spring.dof) ? DofKind::kRotation : DofKind::kTranslation,
           .at = {at.x, at.y, at.z}});
    }
  }

  void finish_held() {
    HeldDofs& held = structure_.held;
    const auto rows = held.size();
    held.influence.resize(rows, kGroundDirections);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const HeldDof& dof = held.dofs[static_cast<std::size_t>(i)];
      const std::string_view kind =
          std::string_view(dof.name).substr(dof.name.rfind('.') + 1);
      for (std::size_t j = 0; j < kNodeDofs; ++j)
        if (kind == kNodeDofNames[j])
          held.influence.row(i) =
              rigid_body_motion(dof.at).row(rigid_row(static_cast<NodeDof>(j)));
    }
    const auto fill = [](HeldDofs::Matrix& matrix, Eigen::Index height, Eigen::Index width,
                         const Triplets& entries) {
      matrix.resize(height, width);
      matrix.setFromTriplets(entries.begin(), entries.end());
    };
    fill(held.stiffness, rows, structure_.equations, held_stiffness_);
    fill(held.damping, rows, structure_.equations, held_damping_);
    fill(held.mass, rows, structure_.equations, held_mass_);
    fill(held.own_stiffness, rows, rows, own_stiffness_);
    fill(held.own_damping, rows, rows, own_damping_);
    fill(held.own_mass, rows, rows, own_mass_);
  }

  /// What a member adds to the rows of held DOFs.
  /// @param mass    of its end coordinates, in local axes
  /// @param ground  their motion per unit of the ground's, in local axes
  void add_held(std::size_t index, AssembledMember& made, const Eigen::MatrixXd& mass,
                const Eigen::MatrixXd& ground) {
    const FrameMember& member = model_.members[index];
    if (!numbering_.holds(member.from) && !numbering_.holds(member.to)) return;
    const std::vector<DofTerms> ends = end_terms(index, true);
    const Eigen::Index per_end = made.dofs_per_end();
    fill_ends(made.axes, ends, per_end, made.held, made.held_ends);
    for (int at = 0; at < 2; ++at)
      for (int turn = 0; turn < 3; ++turn)
        if (numbering_.own(index, at, turn) >= 0)
          made.held_ends.row(at * per_end + (per_end == 3 ? 2 : 3 + turn)).setZero();
    const Eigen::MatrixXd by_stiffness = made.held_ends.transpose() * made.stiffness;
    const Eigen::MatrixXd by_mass = made.held_ends.transpose() * mass;
    const auto put = [](Triplets& to, const std::vector<int>& rows,
                        const std::vector<int>& columns, const Eigen::MatrixXd& values) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < columns.size(); ++j)
          if (const double value =
                  values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
              value != 0.0)
            to.emplace_back(rows[i], columns[j], value);
    };
    put(held_stiffness_, made.held, made.equations, by_stiffness * made.ends);
    put(own_stiffness_, made.held, made.held, by_stiffness * made.held_ends);
    put(held_mass_, made.held, made.equations, by_mass * made.ends);
    put(own_mass_, made.held, made.held, by_mass * made.held_ends);
    const Eigen::MatrixXd load = by_mass * ground;
    for (std::size_t i = 0; i < made.held.size(); ++i)
      structure_.held.base_load.row(made.held[i]) -= load.row(static_cast<Eigen::Index>(i));
  }

  void add_members() {
    const std::size_t entries = model_.spatial ? 144 : 36;
    stiffness_.reserve(entries * model_.members.size());
    mass_.reserve(entries * model_.members.size() + 6 * model_.nodes.size());
    structure_.members.reserve(model_.members.size());
    for (std::size_t i = 0; i < model_.members.size(); ++i)
      model_.spatial ? add_spatial(i) : add_planar(i);
  }

  /// The end coordinates of a member in global axes, offsets included, from equations or
  /// from held DOFs.
  std::vector<DofTerms> end_terms(std::size_t index, bool held = false) const {
    const FrameMember& member = model_.members[index];
    std::vector<DofTerms> ends;
    for (std::size_t end = 0; end < 2; ++end) {
      const int node = end == 0 ? member.from : member.to;
      const Eigen::Vector3d& r = member.offsets[end];
      const auto of = [&](NodeDof dof) -> const DofTerms& {
        return held ? numbering_.held(node, dof) : numbering_.terms(node, dof);
      };
      const auto moved = [&](NodeDof dof, NodeDof one, double by_one, NodeDof other,
                             double by_other) {
        DofTerms terms = of(dof);
        if (by_one != 0.0) add_terms(terms, of(one), by_one);
        if (by_other != 0.0) add_terms(terms, of(other), by_other);
        ends.push_back(std::move(terms));
      };
      using enum NodeDof;
      moved(kX, kRy, r.z(), kRz, -r.y());
      moved(kY, kRz, r.x(), kRx, -r.z());
      if (model_.spatial) {
        moved(kZ, kRx, r.y(), kRy, -r.x());
        ends.push_back(of(kRx));
        ends.push_back(of(kRy));
      }
      ends.push_back(of(kRz));
    }
    return ends;
  }

  void add_planar(std::size_t index) {
    const FrameMember& member = model_.members[index];
    const FrameSection& section = model_.sections[place(member.section)];
    const auto [start, end] = member_ends(model_, member);
    BeamColumn matrices = beam_column(end.x() - start.x(), end.y() - start.y(), section,
                                      member, model_.mass_matrix);
    AssembledMember& made = start_member(index);
    Eigen::MatrixXd turn = Eigen::MatrixXd::Identity(6, 6);
    turn.topLeftCorner(2, 2) = turn.block(3, 3, 2, 2) = made.axes.topLeftCorner(2, 2);
    made.law = make_member_law(model_, member, made.length);
    if (section.fibres) {
      const Eigen::MatrixXd global = turn.transpose() * made.law->initial() * turn;
      matrices.stiffness = 0.5 * (global + global.transpose());
    }
    std::vector<DofTerms> ends = end_terms(index);
    for (int at = 0; at < 2; ++at)
      if (const int own = numbering_.own(index, at, 2); own >= 0)
        ends[place(at * 3 + 2)] = {{own, 1.0}};
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        add(stiffness_, ends[place(i)], ends[place(j)], matrices.stiffness(i, j));
        add(mass_, ends[place(i)], ends[place(j)], matrices.mass(i, j));
      }
    // Supports move with the ground too: their columns belong to the load.
    Eigen::MatrixXd ground(6, kGroundDirections);
    const auto at_start = rigid_body_motion(start);
    const auto at_end = rigid_body_motion(end);
    constexpr std::array<Eigen::Index, 3> kRows{0, 1, 5};
    for (Eigen::Index i = 0; i < 3; ++i) {
      ground.row(i) = at_start.row(kRows[static_cast<std::size_t>(i)]);
      ground.row(i + 3) = at_end.row(kRows[static_cast<std::size_t>(i)]);
    }
    subtract_base_load(ends, matrices.mass, ground);

    const LocalBeamColumn local =
        local_beam_column((end - start).norm(), section, member, model_.mass_matrix);
    made.stiffness = local.stiffness;
    if (section.fibres) made.stiffness = made.law->initial();
    if (local.released) made.release = local.release;
    fill_ends(made.axes, ends, 3, made.equations, made.ends);
    add_held(index, made, turn * matrices.mass * turn.transpose(), turn * ground);
  }

  void add_spatial(std::size_t index) {
    const FrameMember& member = model_.members[index];
    const auto [start, end] = member_ends(model_, member);
    const SpaceBeam beam = space_beam(
        (end - start).norm(), model_.sections[place(member.section)], model_.mass_matrix);
    AssembledMember& made = start_member(index);
    made.stiffness = beam.stiffness;
    made.law = make_member_law(model_, member, made.length);
    if (made.law) made.stiffness = made.law->initial();
    fill_ends(made.axes, end_terms(index), 6, made.equations, made.ends);
    Eigen::MatrixXd ground(12, kGroundDirections);
    ground << rigid_body_motion(start), rigid_body_motion(end);
    for (Eigen::Index block = 0; block < 4; ++block)
      ground.middleRows(3 * block, 3) = made.axes * ground.middleRows(3 * block, 3).eval();
    for (int at = 0; at < 2; ++at)
      for (int turn = 0; turn < 3; ++turn)
        if (const int own = numbering_.own(index, at, turn); own >= 0)
          give_own_rotation(made, at * 6 + 3 + turn, own);
    const Eigen::MatrixXd stiffness = made.ends.transpose() * made.stiffness * made.ends;
    const Eigen::MatrixXd mass = made.ends.transpose() * beam.mass * made.ends;
    const Eigen::MatrixXd load = made.ends.transpose() * (beam.mass * ground);
    for (std::size_t i = 0; i < made.equations.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      for (std::size_t j = 0; j < made.equations.size(); ++j) {
        const auto column = static_cast<Eigen::Index>(j);
        // Symmetric to the last bit.
        const double k = 0.5 * (stiffness(row, column) + stiffness(column, row));
        const double m = 0.5 * (mass(row, column) + mass(column, row));
        if (k != 0.0) stiffness_.emplace_back(made.equations[i], made.equations[j], k);
        if (m != 0.0) mass_.emplace_back(made.equations[i], made.equations[j], m);
      }
      structure_.base_load.row(made.equations[i]) -= load.row(row);
    }
    add_held(index, made, beam.mass, ground);
  }

  AssembledMember& start_member(std::size_t index) {
    const FrameMember& member = model_.members[index];
    const auto [start, end] = member_ends(model_, member);
    AssembledMember& made = structure_.members.emplace_back();
    made.name = member.name;
    made.part = member.part;
    made.linear = member.linear;
    made.mass_per_length = model_.sections[place(member.section)].mass_per_length;
    made.length = (end - start).norm();
    made.axes = local_axes(model_, member);
    return made;
  }

  /// Turns end coordinates in global axes into local ones.
  static void fill_ends(const Eigen::Matrix3d& axes, const std::vector<DofTerms>& ends,
                        Eigen::Index per_end, std::vector<int>& moved_with,
                        Eigen::MatrixXd& by_these) {
    for (const DofTerms& terms : ends)
      for (const DofTerm& term : terms)
        if (std::find(moved_with.begin(), moved_with.end(), term.equation) ==
            moved_with.end())
          moved_with.push_back(term.equation);
    const auto rows = static_cast<Eigen::Index>(ends.size());
    Eigen::MatrixXd global =
        Eigen::MatrixXd::Zero(rows, static_cast<Eigen::Index>(moved_with.size()));
    for (Eigen::Index i = 0; i < rows; ++i)
      for (const DofTerm& term : ends[static_cast<std::size_t>(i)])
        global(i, std::find(moved_with.begin(), moved_with.end(), term.equation) -
                      moved_with.begin()) += term.coefficient;
    by_these = global;
    const Eigen::Index turned = per_end == 3 ? 2 : 3;  // rz of a planar frame stays
    for (Eigen::Index block = 0; block < rows; block += 3)
      by_these.middleRows(block, turned) =
          axes.topLeftCorner(turned, turned) * global.middleRows(block, turned);
  }

  static void give_own_rotation(AssembledMember& made, Eigen::Index row, int equation) {
    made.equations.push_back(equation);
    made.ends.conservativeResize(Eigen::NoChange, made.ends.cols() + 1);
    made.ends.rightCols(1).setZero();
    made.ends.row(row).setZero();
    made.ends(row, made.ends.cols() - 1) = 1.0;
  }

  template <typename Mass>
  void subtract_base_load(const std::vector<DofTerms>& ends, const Mass& mass,
                          const Eigen::MatrixXd& ground) {
    for (Eigen::Index i = 0; i < mass.rows(); ++i)
      for (Eigen::Index j = 0; j < mass.cols(); ++j)
        for (Eigen::Index k = 0; k < ground.cols(); ++k) {
          const double load = mass(i, j) * ground(j, k);
          if (load == 0.0) continue;
          for (const DofTerm& term : ends[static_cast<std::size_t>(i)])
            structure_.base_load(term.equation, k) -= term.coefficient * load;
        }
  }

  void add_nodal_mass(int node, double mass, double inertia, bool about_z_alone = false) {
    const FrameNode& at = model_.nodes[place(node)];
    const auto ground = rigid_body_motion({at.x, at.y, at.z});
    const auto each = [&](NodeDof dof) {
      const bool turns = is_rotation(dof);
      if (turns && about_z_alone && dof != NodeDof::kRz) return;
      const double value = turns ? inertia : mass;
      const DofTerms& terms = numbering_.terms(node, dof);
      add(mass_, terms, terms, value);
      for (const DofTerm& term : terms)
        for (Eigen::Index k = 0; k < kGroundDirections; ++k)
          if (const double moved = ground(rigid_row(dof), k); moved * value != 0.0)
            structure_.base_load(term.equation, k) -= term.coefficient * value * moved;
      const DofTerms& held = numbering_.held(node, dof);
      add(held_mass_, held, terms, value);
      add(own_mass_, held, held, value);
      for (const DofTerm& row : held)
        structure_.held.base_load.row(row.equation) -=
            row.coefficient * value * ground.row(rigid_row(dof));
    };
    if (model_.spatial)
      std::for_each(kSpatialDofs.begin(), kSpatialDofs.end(), each);
    else
      std::for_each(kPlanarDofs.begin(), kPlanarDofs.end(), each);
  }

  void add_masses() {
    for (const FrameFloor& floor : model_.floors)
      for (const int node : floor.nodes)
        add_nodal_mass(node, floor.mass / static_cast<double>(floor.nodes.size()),
                       floor.rotational_inertia);
    for (const FrameMass& mass : model_.masses)
      add_nodal_mass(mass.node, mass.mass, mass.rotational_inertia);
    for (const Diaphragm& diaphragm : model_.diaphragms)
      add_nodal_mass(diaphragm.centre, diaphragm.mass, diaphragm.rotational_inertia, true);
  }

  void add_springs() {
    for (FrameSpring& spring : model_.springs) {
      DofTerms elongation = numbering_.terms(spring.node, spring.dof);
      const DofTerms other =
          spring.to < 0 ? DofTerms() : numbering_.terms(spring.to, spring.dof);
      // With an odd law a held `node` is the same spring turned round.
      // A gap is not.
      const bool odd = dynamic_cast<const materials::GapLaw*>(spring.law.get()) == nullptr;
      const double way = elongation.empty() && odd ? -1.0 : 1.0;
      if (elongation.empty() && odd)
        elongation = other;
      else
        add_terms(elongation, other, -1.0);
      const auto none = [](const DofTerm& term) {
        return term.coefficient == 0.0;
      };
      std::erase_if(elongation, none);
      DofTerms held;
      add_terms(held, numbering_.held(spring.node, spring.dof), way);
      if (spring.to >= 0)
        add_terms(held, numbering_.held(spring.to, spring.dof), -way);
      else
        add_terms(held,
                  {{ground_[place(spring.node)][place(static_cast<int>(spring.dof))], 1.0}},
                  -way);
      std::erase_if(held, none);
      add(damping_, elongation, elongation, spring.damping);
      add(held_damping_, held, elongation, spring.damping);
      add(own_damping_, held, held, spring.damping);
      if (!spring.law) {
        add(stiffness_, elongation, elongation, spring.stiffness);
        add(held_stiffness_, held, elongation, spring.stiffness);
        add(own_stiffness_, held, held, spring.stiffness);
      }
      // Held at both ends, or both ends tied together: it can never stretch.
      if (!spring.law || elongation.empty()) continue;
      structure_.springs.push_back({.elongation = std::move(elongation),
                                    .law = std::move(spring.law),
                                    .held = std::move(held)});
    }
  }

  /// How a link is deformed along a direction of the ground's, or along its line.
  struct Deformation {
    DofTerms terms;
    DofTerms held;
    std::string direction;
  };

  Deformation deformation(const FrameLink& link, std::size_t direction) const {
    Deformation made;
    double largest = 0.0;
    const auto add_to = [&largest](DofTerms& sum, const DofTerms& terms, double part) {
      for (const DofTerm& term : terms)
        largest = std::max(largest, std::abs(part * term.coefficient));
      add_terms(sum, terms, part);
    };
    const auto add_dof = [&](NodeDof dof, double part) {
      add_to(made.terms, numbering_.terms(link.to, dof), part);
      add_to(made.terms, numbering_.terms(link.from, dof), -part);
      add_to(made.held, numbering_.held(link.to, dof), part);
      add_to(made.held, numbering_.held(link.from, dof), -part);
    };
    if (link.dofs.empty()) {
      const FrameNode& from = model_.nodes[place(link.from)];
      const FrameNode& to = model_.nodes[place(link.to)];
      const Eigen::Vector3d line =
          Eigen::Vector3d(to.x - from.x, to.y - from.y, to.z - from.z).normalized();
      constexpr std::array<NodeDof, 3> kAlong{NodeDof::kX, NodeDof::kY, NodeDof::kZ};
      for (std::size_t i = 0; i < (model_.spatial ? 3U : 2U); ++i)
        if (line[static_cast<Eigen::Index>(i)] != 0.0)
          add_dof(kAlong[i], line[static_cast<Eigen::Index>(i)]);
      made.direction = "along";
    } else {
      add_dof(link.dofs[direction], 1.0);
      made.direction = kNodeDofNames[static_cast<std::size_t>(link.dofs[direction])];
    }
    // What both nodes do alike, as on one rigid body, is left over as rounding.
    const auto none = [&largest](const DofTerm& term) {
      return std::abs(term.coefficient) <= 1e-12 * largest;
    };
    std::erase_if(made.terms, none);
    std::erase_if(made.held, none);
    return made;
  }

  void add_links() {
    for (FrameLink& link : model_.links) {
      const std::size_t directions = link.dofs.empty() ? 1 : link.dofs.size();
      for (std::size_t i = 0; i < directions; ++i) {
        Deformation made = deformation(link, i);
        add(stiffness_, made.terms, made.terms, link.stiffness);
        add(held_stiffness_, made.held, made.terms, link.stiffness);
        add(own_stiffness_, made.held, made.held, link.stiffness);
        add(damping_, made.terms, made.terms, link.damping);
        add(held_damping_, made.held, made.terms, link.damping);
        add(own_damping_, made.held, made.held, link.damping);
        const int here = static_cast<int>(structure_.springs.size());
        // Held at both ends, or both ends tied together: a law there has nothing to do. The
        // partner of another direction stays, at zero.
        const bool lawless = link.laws.empty() || (made.terms.empty() && !link.paired);
        const bool turns = !link.dofs.empty() && is_rotation(link.dofs[i]);
        structure_.details.links.push_back(
            {.link = link.name,
             .direction = made.direction,
             .kind = turns ? DofKind::kRotation : DofKind::kTranslation,
             .deformation = made.terms,
             .held = made.held,
             .spring = lawless ? -1 : here,
             .stiffness = link.stiffness,
             .damping = link.damping});
        if (lawless) continue;
        structure_.springs.push_back(
            {.elongation = std::move(made.terms),
             .law = std::move(link.laws[i]),
             .held = std::move(made.held),
             .partner = link.paired ? (i == 0 ? here + 1 : here - 1) : -1,
             .link = link.name + "." + made.direction});
      }
    }
  }

  /// Node minus member, about the member's local axis.
  void add_hinges() {
    for (MemberHinge& hinge : model_.hinges) {
      const auto index = place(hinge.member);
      const FrameMember& member = model_.members[index];
      const int node = hinge.end == 0 ? member.from : member.to;
      const Eigen::Matrix3d axes = local_axes(model_, member);
      DofTerms elongation;
      DofTerms held;
      constexpr std::array<NodeDof, 3> kTurns{NodeDof::kRx, NodeDof::kRy, NodeDof::kRz};
      for (int global = model_.spatial ? 0 : 2; global < 3; ++global)
        if (const double part = axes(hinge.rotation, global); part != 0.0) {
          add_terms(elongation, numbering_.terms(node, kTurns[place(global)]), part);
          add_terms(held, numbering_.held(node, kTurns[place(global)]), part);
        }
      add_terms(elongation, {{numbering_.own(index, hinge.end, hinge.rotation), 1.0}},
                -1.0);
      std::string end = hinge.end == 0 ? "from" : "to";
      if (model_.spatial)
        end += std::string(".") +
               kNodeDofNames[static_cast<std::size_t>(kTurns[place(hinge.rotation)])];
      structure_.springs.push_back({std::move(elongation), std::move(hinge.law),
                                    member.name, std::move(end), std::move(held)});
    }
  }

  SparseMatrix matrix(const Triplets& entries) const {
    SparseMatrix result(structure_.equations, structure_.equations);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }

  FrameModel model_;
  FrameNumbering numbering_;
  StructuralModel structure_;
  Triplets stiffness_;
  Triplets mass_;
  Triplets damping_;
  // Of held DOFs: by equations, and by themselves.
  Triplets held_stiffness_, own_stiffness_;
  Triplets held_mass_, own_mass_;
  Triplets held_damping_, own_damping_;
  // Rows of the ground of springs, at each node; -1: none.
  std::vector<std::array<int, kNodeDofs>> ground_;
};

}  // namespace

StructuralModel assemble(FrameModel model) {
  return FrameAssembler(std::move(model)).build();
}

std::vector<std::string> fixed_dofs(const FrameModel& model) {
  const ConstraintRules rules(model);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const auto tell = [&](NodeDof dof) {
      const int node = static_cast<int>(i);
      if (model.nodes[i].diaphragm && !model.nodes[i].fixed[static_cast<std::size_t>(dof)])
        return;
      if (rules.of(node, dof) == nullptr && !rules.free(node, dof))
        names.push_back(model.nodes[i].name + "." +
                        kNodeDofNames[static_cast<std::size_t>(dof)]);
    };
    if (model.spatial)
      std::for_each(kSpatialDofs.begin(), kSpatialDofs.end(), tell);
    else
      std::for_each(kPlanarDofs.begin(), kPlanarDofs.end(), tell);
  }
  return names;
}

}  // namespace trestle::structure
