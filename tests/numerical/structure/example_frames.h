#pragma once

#include <Eigen/SparseCore>
#include <string>

#include "core/math/dense_solve.h"
#include "numerical/structure/frame_assembly.h"
#include "numerical/structure/frame_model.h"

namespace trestle::testing {

inline constexpr double kModulus = 210e9;
inline constexpr double kArea = 78.1e-4;
inline constexpr double kSecondMoment = 5696e-8;
inline constexpr double kBending = kModulus * kSecondMoment;  // EI

inline structure::FrameSection section(double mass_per_length = 0.0) {
  return {.elastic_modulus = kModulus,
          .area = kArea,
          .second_moment = kSecondMoment,
          .mass_per_length = mass_per_length};
}

inline structure::FrameNode node(const std::string& name, double x, double y,
                                 std::array<bool, structure::kNodeDofs> fixed = {}) {
  structure::FrameNode made;
  made.name = name;
  made.x = x;
  made.y = y;
  made.fixed = fixed;
  return made;
}

inline constexpr std::array<bool, structure::kNodeDofs> kClamped{true, true, true};

/// A cantilever of any direction, clamped at n0.
inline structure::FrameModel cantilever(
    int elements, double length_x, double length_y, double mass_per_length = 0.0,
    structure::MassMatrixKind kind = structure::MassMatrixKind::kLumped) {
  structure::FrameModel model;
  model.mass_matrix = kind;
  model.sections.push_back(section(mass_per_length));
  for (int i = 0; i <= elements; ++i) {
    const double part = static_cast<double>(i) / elements;
    model.nodes.push_back(node("n" + std::to_string(i), part * length_x, part * length_y));
    if (i > 0) model.members.push_back({.from = i - 1, .to = i});
  }
  model.nodes.front().fixed = kClamped;
  return model;
}

/// One bay, clamped columns of height h, a beam of span b.
inline structure::FrameModel portal(double h, double b) {
  structure::FrameModel model;
  model.sections.push_back(section());
  model.nodes = {node("foot_w", 0, 0, kClamped), node("foot_e", b, 0, kClamped),
                 node("top_w", 0, h), node("top_e", b, h)};
  model.members = {{.from = 0, .to = 2}, {.from = 1, .to = 3}, {.from = 2, .to = 3}};
  return model;
}

/// Displacements under a unit load on one DOF.
inline Eigen::VectorXd deflection(const structure::StructuralModel& structure,
                                  const std::string& loaded) {
  Eigen::VectorXd load = Eigen::VectorXd::Zero(structure.equations);
  load[structure.equation(loaded)] = 1.0;
  return math::solved(Eigen::MatrixXd(structure.stiffness), load);
}

}  // namespace trestle::testing
