#include "composition/hybrid_test/inner_modes.h"

#include <cstdio>
#include <numbers>
#include <optional>
#include <set>
#include <stdexcept>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/linear/matrix_factory.h"
#include "composition/numerical/model_factory.h"
#include "numerical/structure/combined_matrices.h"
#include "numerical/structure/modes.h"

namespace trestle::composition {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kMassThatMatters = 0.9;
// For full matrices, whose eigenvalues take less than a second.
constexpr int kMostEquations = 300;

double hertz(double frequency) {
  return frequency / (2.0 * std::numbers::pi);
}

/// Nothing if no inner DOF has mass.
std::optional<double> lowest_of(const MatrixXd& mass, const MatrixXd& stiffness) {
  if (mass.rows() == 0 || mass.isZero(0.0)) return std::nullopt;
  try {
    const structure::Modes modes =
        structure::lowest_modes(stiffness.sparseView(), mass.sparseView(), 1);
    return hertz(modes.frequencies[0]);
  } catch (const std::runtime_error&) {
    return std::nullopt;  // a mechanism, told where the specimen is made
  }
}

std::optional<double> lowest_of(const config::DynamicSpecimen& specimen, int interface,
                                const std::string& path) {
  const MatrixXd stiffness = make_matrix(specimen.stiffness(), path + ".stiffness");
  const MatrixXd mass = make_matrix(specimen.mass(), path + ".mass");
  const Index inner = stiffness.rows() - interface;
  return lowest_of(mass.bottomRightCorner(inner, inner),
                   stiffness.bottomRightCorner(inner, inner));
}

MatrixXd without(const MatrixXd& matrix, const std::set<Index>& held) {
  std::vector<Index> kept;
  for (Index i = 0; i < matrix.rows(); ++i)
    if (!held.contains(i)) kept.push_back(i);
  return matrix(kept, kept);
}

std::optional<double> lowest_of(const config::FrameSpecimen& specimen,
                                const std::string& path) {
  config::Numerical model;
  *model.mutable_frame() = specimen.frame();
  // Holds its interface: without that it may be a mechanism.
  structure::ExperimentalPart holder;
  holder.dofs = {specimen.interface().begin(), specimen.interface().end()};
  const auto dofs = static_cast<Index>(holder.dofs.size());
  holder.stiffness = MatrixXd::Identity(dofs, dofs);
  holder.damping = holder.mass = MatrixXd::Zero(dofs, dofs);
  const structure::StructuralModel structure = make_structure(model, {&holder, 1}, path);
  std::set<Index> held;
  for (const std::string& dof : holder.dofs) held.insert(structure.equation(dof));
  return lowest_of(without(MatrixXd(structure.mass), held),
                   without(MatrixXd(structure::numerical_stiffness(structure)), held));
}

/// Up to which frequency modes carry the most of the mass that the ground moves.
double frequency_that_matters(const config::Test& test, const NumericalParts& parts) {
  const structure::StructuralModel structure =
      make_structure(test.numerical(), parts.experimental, "numerical", &test.excitation());
  if (structure.equations > kMostEquations) return 0.0;
  const structure::Modes modes = structure::lowest_modes(structure, structure.equations);
  const config::Excitation& excitation = test.excitation();
  const VectorXd load = structure.base_load.col(excitation.motions().empty()
                                                    ? excitation.direction()
                                                    : excitation.motions(0).direction());
  const VectorXd masses = (modes.shapes.transpose() * load).array().square();
  double left = kMassThatMatters * masses.sum();
  if (!(left > 0.0)) return 0.0;
  for (Index i = 0; i < masses.size(); ++i) {
    left -= masses[i];
    if (left <= 0.0) return hertz(modes.frequencies[i]);
  }
  return 0.0;
}

}  // namespace

std::vector<InnerModes> inner_modes(const config::Test& test) {
  std::vector<InnerModes> found;
  const config::Numerical& model = test.numerical();
  if (test.undivided() || model.has_bridge() || model.has_bond_graph()) return found;
  for (int i = 0; i < test.sites_size(); ++i) {
    const config::Specimen& specimen = test.sites(i).rig().specimen();
    const std::string path = "sites[" + std::to_string(i) + "].rig.specimen";
    std::optional<double> lowest;
    if (specimen.has_dynamic())
      lowest = lowest_of(specimen.dynamic(), test.sites(i).interface_size(), path);
    if (specimen.has_frame()) lowest = lowest_of(specimen.frame(), path + ".frame");
    if (lowest) found.push_back({i, *lowest, 0.0});
  }
  if (found.empty()) return found;
  const double matters = frequency_that_matters(test, numerical_parts(test));
  for (InnerModes& modes : found) modes.matters = matters;
  return found;
}

std::string in_words(const config::Test& test, const InnerModes& modes) {
  char text[96];
  std::snprintf(text, sizeof text, ": lowest frequency with its interface held %.4g Hz",
                modes.lowest);
  return test.sites(modes.site).name() + text;
}

}  // namespace trestle::composition
