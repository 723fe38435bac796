#include "composition/hybrid_test/specimen_mass_factory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/inner_modes.h"
#include "composition/hybrid_test/interface_factory.h"
#include "composition/hybrid_test/pacing_factory.h"
#include "composition/linear/matrix_factory.h"
#include "composition/numerical/model_factory.h"
#include "composition/rigs/specimen_factory.h"
#include "core/base/setting_error.h"
#include "core/math/dense_eigenvalues.h"

namespace trestle::composition {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Rows = google::protobuf::RepeatedPtrField<config::Row>;

std::string path_of(int index) {
  return "sites[" + std::to_string(index) + "]";
}

/// A model of masses and springs that the integrator steps itself.
bool steps_masses(const config::Test& test) {
  const config::Numerical& numerical = test.numerical();
  return numerical.has_frame() || numerical.has_shear_building() || numerical.has_beam() ||
         numerical.has_matrices();
}

/// Its force is what its own accelerations make of it, and nothing is taken out of it: a
/// published rig's, or a vehicle's.
bool keeps_its_inertia(const config::Specimen& specimen) {
  return specimen.has_kinematic() || specimen.has_quarter_vehicle() ||
         specimen.has_bond_graph();
}

/// The laboratory's rates over the structure's.
double rate_of(const config::Test& test) {
  if (mode_of(test) == ExecutionMode::kPseudoDynamic) return 0.0;
  return 1.0 / make_pacing(test).scale;
}

/// Without the rounding that its two triangles differ by.
MatrixXd even(const MatrixXd& matrix) {
  return 0.5 * (matrix + matrix.transpose());
}

/// Symmetric; absent rows: size zero.
MatrixXd declared(const Rows& rows, Index dofs, const std::string& path) {
  constexpr double kSymmetric = 1e-9;
  if (rows.empty()) return {};
  const MatrixXd matrix = make_matrix(rows, path);
  if (matrix.rows() != dofs || matrix.cols() != dofs)
    throw SettingError(path, "is " + std::to_string(matrix.rows()) + " x " +
                                 std::to_string(matrix.cols()) + "; the site has " +
                                 std::to_string(dofs) +
                                 " interface DOFs, force-only ones included");
  if (!matrix.allFinite()) throw SettingError(path, "holds a value that is no number");
  const double largest = matrix.cwiseAbs().maxCoeff();
  if ((matrix - matrix.transpose()).cwiseAbs().maxCoeff() > kSymmetric * largest)
    throw SettingError(path, "is not symmetric");
  return even(matrix);
}

/// A mass or a damping that gives no energy.
MatrixXd declared_passive(const Rows& rows, Index dofs, const std::string& path) {
  constexpr double kRounding = 1e-9;
  MatrixXd matrix = declared(rows, dofs, path);
  if (matrix.size() == 0) return matrix;
  const Eigen::VectorXd values = math::symmetric_eigen(matrix).values;
  if (values.minCoeff() < -kRounding * values.cwiseAbs().maxCoeff())
    throw SettingError(path,
                       "is not positive semi-definite: some motion of the interface would "
                       "have a negative " +
                           std::string(path.ends_with("mass") ? "mass" : "damping"));
  return matrix;
}

/// Rows of interface DOFs: what they move by as the ground goes along x, y and z.
MatrixXd influence_of(const config::Site& site) {
  const InterfaceLayout layout = make_interface_layout(site);
  MatrixXd influence = MatrixXd::Zero(static_cast<Index>(layout.size()), 3);
  for (std::size_t i = 0; i < layout.size(); ++i) {
    influence(static_cast<Index>(i), 0) = layout[i].name.ends_with(".x") ? 1.0 : 0.0;
    influence(static_cast<Index>(i), 1) = layout[i].name.ends_with(".y") ? 1.0 : 0.0;
    influence(static_cast<Index>(i), 2) = layout[i].name.ends_with(".z") ? 1.0 : 0.0;
  }
  return influence;
}

/// A simulated rig has a separate floor, which does not move.
void check_base(const config::Site& site, const std::string& path) {
  if (site.base() != config::SPECIMEN_BASE_MOVES) return;
  const bool simulated =
      site.twin() || (site.address().empty() && !site.remote() && !site.has_adapter());
  if (simulated)
    throw SettingError(path + ".base",
                       "`moves` is for a shake table; nothing shakes the floor of a "
                       "simulated rig, and the ground's inertia would be left out");
}

/// A setting for the treatment of a mass needs a mass.
void check_heavy(const config::Site& site, const MatrixXd& mass,
                 const SpecimenModel* specimen, const std::string& path) {
  const char* field = site.base() != config::SPECIMEN_BASE_RESTS ? ".base"
                      : inertia_is_measured(site)                ? ".inertia"
                                                                 : nullptr;
  if (field == nullptr) return;
  const bool heavy = mass.size() > 0 ? !mass.isZero(0.0)
                                     : specimen != nullptr && !specimen->mass().isZero(0.0);
  if (!heavy)
    throw SettingError(path + field,
                       "has an effect on a specimen with mass only; give the site's "
                       "`mass`, or leave it out");
}

/// A rig that is late bears a mass up to its part of the whole only (StructuralModel::mass
/// holds both).
void note_delay(const config::Site& site, const structure::ExperimentalPart& part,
                const structure::StructuralModel& structure,
                std::vector<std::string>& notes) {
  constexpr double kAlwaysBorne = 0.5;  // however late the rig is
  constexpr int kFar = 1000;
  for (Index j = 0; j < part.own_mass.rows() && j < site.interface_size(); ++j) {
    const std::string& dof = part.dofs[static_cast<std::size_t>(j)];
    const int equation = structure.equation(dof);
    const double whole = structure.mass.coeff(equation, equation);
    const double share = whole > 0.0 ? part.own_mass(j, j) / whole : 0.0;
    if (share <= kAlwaysBorne) continue;
    // Steps d with 1/(2 cos(π/(d + 2))) above the share.
    int late = 1;
    while (late < kFar && 0.5 / std::cos(std::numbers::pi / (late + 3)) > share) ++late;
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(),
                  "%.3g %% of the mass at %s is the specimen's: the loop bears a rig that "
                  "is up to %d time steps late",
                  100.0 * share, dof.c_str(), late);
    notes.push_back(site.name() + ": " + text.data());
  }
}

Index dofs_in(const config::Site& site) {
  return site.interface_size() + site.force_only_size();
}

/// The mass that a site declares holds, also where the specimen of its simulated rig has
/// another: the loop then has the wrong mass, and nothing else would tell.
void note_other_mass(const config::Test& test, int index, std::vector<std::string>& notes) {
  constexpr double kSame = 1e-6;
  const config::Site& site = test.sites(index);
  if (site.mass().empty() || !site.rig().has_specimen() ||
      keeps_its_inertia(site.rig().specimen()))
    return;
  const std::string path = path_of(index);
  const MatrixXd said = declared(site.mass(), dofs_in(site), path + ".mass");
  const MatrixXd has = make_specimen(site.rig().specimen(), site.interface_size(),
                                     site.force_only_size(), path + ".rig.specimen")
                           ->mass();
  if (has.rows() != said.rows() || has.cols() != said.cols()) return;
  Index row = 0;
  Index column = 0;
  const double apart = (said - has).cwiseAbs().maxCoeff(&row, &column);
  if (apart <= kSame * std::max(said.cwiseAbs().maxCoeff(), has.cwiseAbs().maxCoeff()))
    return;
  std::array<char, 200> text{};
  std::snprintf(text.data(), text.size(),
                "`mass` says %.6g in row %d, column %d, and the specimen of its simulated "
                "rig has %.6g there: the test takes the former. Is this meant?",
                said(row, column), static_cast<int>(row) + 1, static_cast<int>(column) + 1,
                has(row, column));
  notes.push_back(site.name() + ": " + text.data());
}

}  // namespace

void own_inertia(const config::Test& test, int index, const SpecimenModel* specimen,
                 structure::ExperimentalPart& part) {
  const config::Site& site = test.sites(index);
  const std::string path = path_of(index);
  if (!steps_masses(test)) {
    const char* field = !site.mass().empty()                         ? ".mass"
                        : !site.damping().empty()                    ? ".damping"
                        : site.base() != config::SPECIMEN_BASE_RESTS ? ".base"
                        : inertia_is_measured(site)                  ? ".inertia"
                                                                     : nullptr;
    if (field != nullptr)
      throw SettingError(path + field,
                         "has an effect beside a frame, shear_building, beam or matrices "
                         "only; leave it out");
    return;
  }
  check_base(site, path);
  const Index dofs = dofs_in(site);
  MatrixXd mass = declared_passive(site.mass(), dofs, path + ".mass");
  MatrixXd damping = declared_passive(site.damping(), dofs, path + ".damping");
  const bool known = specimen != nullptr && !keeps_its_inertia(site.rig().specimen());
  check_heavy(site, mass, known ? specimen : nullptr, path);
  if (mass.size() == 0 && damping.size() == 0 && !known) return;
  const bool by_specimen = mass.size() == 0 && known;
  if (mass.size() == 0 && known) mass = even(specimen->mass());
  if (damping.size() == 0 && known) damping = specimen->damping();
  part.rate = rate_of(test);
  if (mass.size() > 0 && !mass.isZero(0.0)) {
    part.own_mass = mass;
    if (by_specimen) part.base_mass = specimen->base_mass(influence_of(site));
    // For the plain kinds the model itself knows the influence of base motion.
    if (part.base_mass.size() > 0 && part.base_mass == MatrixXd(mass * influence_of(site)))
      part.base_mass = {};
    part.base_moves = site.base() == config::SPECIMEN_BASE_MOVES && !test.undivided();
    const Index moved = test.undivided() ? dofs : site.interface_size();
    if (specimen != nullptr)
      part.mass.topLeftCorner(moved, moved) -= mass.topLeftCorner(moved, moved);
  }
  if (specimen == nullptr && damping.size() > 0) part.damping = damping;
  if (part.rate == 1.0) return;
  if (damping.size() > 0 && !damping.isZero(0.0))
    part.own_damping = (1.0 - part.rate) * damping;
  part.damping *= part.rate;
  part.mass *= part.rate * part.rate;
}

bool inertia_is_measured(const config::Site& site) noexcept {
  return site.inertia() == config::SPECIMEN_INERTIA_MEASURED;
}

std::vector<double> mass_left_out(const config::Test& test, int index) {
  if (!steps_masses(test) || rate_of(test) == 0.0) return {};
  const config::Site& site = test.sites(index);
  MatrixXd mass;
  try {
    if (!site.mass().empty())
      mass = declared(site.mass(), dofs_in(site), path_of(index) + ".mass");
    else if (site.rig().has_specimen() && !keeps_its_inertia(site.rig().specimen()))
      mass = make_specimen(site.rig().specimen(), site.interface_size(),
                           site.force_only_size(), path_of(index) + ".rig.specimen")
                 ->mass();
  } catch (const SettingError&) {
    return {};  // told where the model is made
  }
  if (mass.size() == 0 || mass.isZero(0.0)) return {};
  mass = even(mass);
  return {mass.data(), mass.data() + mass.size()};
}

std::vector<std::string> specimen_mass_notes(const config::Test& test) {
  std::vector<std::string> notes;
  if (!steps_masses(test) || test.undivided()) return notes;
  const NumericalParts parts = numerical_parts(test);
  const structure::StructuralModel structure =
      make_structure(test.numerical(), parts.experimental, "numerical", &test.excitation());
  for (int i = 0; i < test.sites_size(); ++i) {
    const config::Site& site = test.sites(i);
    const structure::ExperimentalPart& part =
        parts.experimental[static_cast<std::size_t>(i)];
    if (site.mass().empty() && !site.rig().has_specimen())
      notes.push_back(site.name() +
                      ": mass of the specimen: not declared; its ground inertia is left "
                      "out");
    note_other_mass(test, i, notes);
    if (test.mode() == config::REAL_TIME && !inertia_is_measured(site))
      note_delay(site, part, structure, notes);
    if (inertia_is_measured(site) && site.base() == config::SPECIMEN_BASE_MOVES)
      notes.push_back(site.name() +
                      ": its accelerometers must tell accelerations relative to the table; "
                      "those that tell the table's as well would take the ground's inertia "
                      "out");
  }
  for (const InnerModes& modes : inner_modes(test)) notes.push_back(in_words(test, modes));
  return notes;
}

}  // namespace trestle::composition
