#include "bench/numerical/bench_frames.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "numerical/materials/bilinear_law.h"
#include "numerical/structure/frame_assembly.h"

namespace trestle::bench {
namespace {

/// Joins the node made last with an earlier one.
void join(structure::FrameModel& model, int earlier, const Eigen::Vector3d& z) {
  const int here = static_cast<int>(model.nodes.size()) - 1;
  model.members.push_back({.from = earlier,
                           .to = here,
                           .name = "m" + std::to_string(model.members.size()),
                           .z = z});
}

}  // namespace

structure::FrameModel planar_grid(int storeys, int bays) {
  structure::FrameModel model;
  model.sections.push_back({210e9, 1e-2, 1e-4, 0.0});
  for (int floor = 0; floor <= storeys; ++floor)
    for (int line = 0; line <= bays; ++line) {
      structure::FrameNode node;
      node.name = "n" + std::to_string(floor) + "_" + std::to_string(line);
      node.x = 6.0 * line;
      node.y = 3.0 * floor;
      if (floor == 0) node.fixed = {true, true, true};
      model.nodes.push_back(node);
      const int here = static_cast<int>(model.nodes.size()) - 1;
      if (floor == 0) continue;
      join(model, here - bays - 1, Eigen::Vector3d::UnitZ());
      if (line > 0) join(model, here - 1, Eigen::Vector3d::UnitZ());
      model.masses.push_back({.node = here, .mass = 5000.0, .rotational_inertia = 500.0});
    }
  return model;
}

structure::FrameModel spatial_block(int along, int across, int levels) {
  structure::FrameModel model;
  model.spatial = true;
  model.sections.push_back({.elastic_modulus = 210e9,
                            .area = 1e-2,
                            .second_moment = 5e-5,
                            .second_moment_y = 1e-4,
                            .torsion_constant = 1e-6,
                            .shear_modulus = 80e9});
  for (int level = 0; level <= levels; ++level)
    for (int j = 0; j < across; ++j)
      for (int i = 0; i < along; ++i) {
        structure::FrameNode node;
        node.name =
            "n" + std::to_string(level) + "_" + std::to_string(i) + "_" + std::to_string(j);
        node.x = 5.0 * i;
        node.y = 5.0 * j;
        node.z = 3.0 * level;
        if (level == 0) node.fixed = {true, true, true, true, true, true};
        model.nodes.push_back(node);
        const int here = static_cast<int>(model.nodes.size()) - 1;
        if (level == 0) continue;
        join(model, here - along * across, Eigen::Vector3d::UnitX());
        if (i > 0) join(model, here - 1, Eigen::Vector3d::UnitZ());
        if (j > 0) join(model, here - along, Eigen::Vector3d::UnitZ());
        model.masses.push_back({.node = here, .mass = 5000.0, .rotational_inertia = 500.0});
      }
  return model;
}

void add_hinges(structure::FrameModel& model, int count) {
  for (std::size_t i = 0; i < model.members.size() && count > 0; ++i) {
    const structure::FrameMember& member = model.members[i];
    const structure::FrameNode& from = model.nodes[structure::place(member.from)];
    const structure::FrameNode& to = model.nodes[structure::place(member.to)];
    if (from.y != to.y || from.z != to.z) continue;
    const double length = std::abs(to.x - from.x);
    const structure::FrameSection& section =
        model.sections[structure::place(member.section)];
    const double k = 60.0 * section.elastic_modulus * section.second_moment / length;
    model.hinges.push_back(
        {.member = static_cast<int>(i),
         .law = std::make_unique<materials::BilinearLaw>(materials::BilinearLawSettings{
             .stiffness = k, .yield_force = 20e3, .hardening = 0.02})});
    --count;
  }
}

structure::StructuralModel assembled(structure::FrameModel model) {
  structure::StructuralModel structure = structure::assemble(std::move(model));
  structure.damping = 0.5 * structure.mass;
  structure.experimental_mass.resize(structure.equations, structure.equations);
  structure.experimental_damping = structure.experimental_mass;
  structure.experimental_stiffness = structure.experimental_mass;
  return structure;
}

structure::StructuralModel linearised(structure::StructuralModel structure) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const structure::NonlinearSpring& spring : structure.springs)
    for (const structure::DofTerm& row : spring.elongation)
      for (const structure::DofTerm& column : spring.elongation)
        entries.emplace_back(
            row.equation, column.equation,
            spring.law->initial_stiffness() * row.coefficient * column.coefficient);
  structure::SparseMatrix springs(structure.equations, structure.equations);
  springs.setFromTriplets(entries.begin(), entries.end());
  structure.stiffness += springs;
  structure.springs.clear();
  return structure;
}

}  // namespace trestle::bench
