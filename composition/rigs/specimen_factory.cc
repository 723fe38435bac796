#include "composition/rigs/specimen_factory.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "adapters/simulated/bilinear_hinge.h"
#include "adapters/simulated/bouc_wen_hinge.h"
#include "adapters/simulated/column_specimen.h"
#include "adapters/simulated/dynamic_specimen.h"
#include "adapters/simulated/kinematic_specimen.h"
#include "adapters/simulated/linear_specimen.h"
#include "adapters/simulated/springs_specimen.h"
#include "composition/linear/matrix_factory.h"
#include "composition/numerical/mechanics_factory.h"
#include "composition/rigs/frame_specimen_factory.h"
#include "core/base/setting_checks.h"
#include "core/base/setting_error.h"
#include "core/math/dense_solve.h"
#include "proto/config/matrix.pb.h"
#include "proto/config/rig.pb.h"

namespace trestle::composition {
namespace {

using Rows = google::protobuf::RepeatedPtrField<config::Row>;

/// Absent rows are a matrix of zeros.
Eigen::MatrixXd make_symmetric(const Rows& rows, int dofs, const std::string& path,
                               const char* what = "interface DOFs") {
  constexpr double kSymmetric = 1e-9;
  if (rows.empty()) return Eigen::MatrixXd::Zero(dofs, dofs);
  Eigen::MatrixXd matrix = make_matrix(rows, path);
  if (matrix.rows() != dofs || matrix.cols() != dofs)
    throw SettingError(path, "is " + std::to_string(matrix.rows()) + " x " +
                                 std::to_string(matrix.cols()) + "; the site has " +
                                 std::to_string(dofs) + " " + what);
  const double largest = matrix.cwiseAbs().maxCoeff();
  if ((matrix - matrix.transpose()).cwiseAbs().maxCoeff() > kSymmetric * largest)
    throw SettingError(path, "is not symmetric");
  return matrix;
}

std::unique_ptr<SpecimenModel> make_linear(const config::LinearSpecimen& specimen, int dofs,
                                           const std::string& path) {
  return std::make_unique<simulated::LinearSpecimen>(
      make_symmetric(specimen.stiffness(), dofs, path + ".stiffness"),
      make_symmetric(specimen.damping(), dofs, path + ".damping"),
      make_symmetric(specimen.mass(), dofs, path + ".mass"));
}

std::unique_ptr<SpecimenModel> make_kinematic(const config::KinematicSpecimen& specimen,
                                              int controlled, int force_only,
                                              const std::string& path) {
  const int rows = specimen.stiffness_size();
  if (rows < controlled + force_only)
    throw SettingError(path + ".stiffness",
                       "has " + std::to_string(rows) + " rows; the site has " +
                           std::to_string(controlled + force_only) +
                           " interface DOFs, and inner ones come behind these");
  const Eigen::MatrixXd K = make_symmetric(specimen.stiffness(), rows, path + ".stiffness");
  constexpr double kRounding = std::numeric_limits<double>::epsilon();
  const int led = rows - controlled;
  if (led > 0 && math::rank(K.bottomRightCorner(led, led), kRounding * led) < led)
    throw SettingError(path + ".stiffness",
                       "the " + std::to_string(led) +
                           " DOFs behind the controlled ones are a mechanism; they follow "
                           "by the stiffness alone, whose block of them must not be "
                           "singular");
  return std::make_unique<simulated::KinematicSpecimen>(simulated::KinematicSettings{
      .stiffness = K,
      .damping = make_symmetric(specimen.damping(), rows, path + ".damping"),
      .mass = make_symmetric(specimen.mass(), rows, path + ".mass"),
      .controlled = controlled,
      .force_only = force_only});
}

std::unique_ptr<SpecimenModel> make_dynamic(const config::DynamicSpecimen& specimen,
                                            int dofs, const std::string& path) {
  const int rows = specimen.stiffness_size();
  if (rows <= dofs)
    throw SettingError(path + ".stiffness",
                       "has " + std::to_string(rows) + " rows; the site has " +
                           std::to_string(dofs) +
                           " interface DOFs, and at least one inner DOF comes behind");
  simulated::DynamicSettings settings{
      .stiffness = make_symmetric(specimen.stiffness(), rows, path + ".stiffness"),
      .damping = make_symmetric(specimen.damping(), rows, path + ".damping"),
      .mass = make_symmetric(specimen.mass(), rows, path + ".mass"),
      .interface_dofs = dofs};
  constexpr double kRounding = std::numeric_limits<double>::epsilon();
  const int inner = rows - dofs;
  const auto regular = [&](const Eigen::MatrixXd& matrix) {
    return math::rank(matrix.bottomRightCorner(inner, inner), kRounding * inner) == inner;
  };
  if (!regular(settings.mass))
    throw SettingError(path + ".mass",
                       "is singular among the " + std::to_string(inner) +
                           " inner DOFs; each of them needs mass to move by");
  if (!regular(settings.stiffness))
    throw SettingError(path + ".stiffness", "is singular among the " +
                                                std::to_string(inner) +
                                                " inner DOFs: they are a mechanism");
  return std::make_unique<simulated::DynamicSpecimen>(settings);
}

std::unique_ptr<SpecimenModel> make_vehicle(const config::QuarterVehicle& vehicle, int dofs,
                                            const std::string& path) {
  if (dofs != 1)
    throw SettingError(path,
                       "a quarter vehicle stands on one interface DOF; the site has " +
                           std::to_string(dofs));
  require_above_zero(vehicle.car_mass(), path + ".car_mass");
  require_above_zero(vehicle.secondary_stiffness(), path + ".secondary_stiffness");
  require_at_least(vehicle.secondary_damping(), 0.0, path + ".secondary_damping");
  require_above_zero(vehicle.bogie_mass(), path + ".bogie_mass");
  require_above_zero(vehicle.primary_stiffness(), path + ".primary_stiffness");
  require_at_least(vehicle.primary_damping(), 0.0, path + ".primary_damping");
  require_at_least(vehicle.wheel_mass(), 0.0, path + ".wheel_mass");
  return std::make_unique<simulated::DynamicSpecimen>(simulated::quarter_vehicle(
      {.car_mass = vehicle.car_mass(),
       .secondary_stiffness = vehicle.secondary_stiffness(),
       .secondary_damping = vehicle.secondary_damping(),
       .bogie_mass = vehicle.bogie_mass(),
       .primary_stiffness = vehicle.primary_stiffness(),
       .primary_damping = vehicle.primary_damping(),
       .wheel_mass = vehicle.wheel_inertia() ? vehicle.wheel_mass() : 0.0}));
}

template <typename Message>
simulated::HingeSettings make_hinge_settings(const Message& hinge,
                                             double reference_stiffness,
                                             const std::string& path) {
  require_above_zero(hinge.yield_moment(), path + ".yield_moment");
  require_within(hinge.hardening(), 0.0, 1.0, path + ".hardening");
  return {.yield_moment = hinge.yield_moment(),
          .hardening = hinge.hardening(),
          .reference_stiffness = reference_stiffness};
}

/// Null if the ends stay elastic.
std::unique_ptr<simulated::PlasticHinge> make_hinge(const config::Hysteresis& hysteresis,
                                                    double reference_stiffness,
                                                    const std::string& path) {
  switch (hysteresis.kind_case()) {
    case config::Hysteresis::kBilinear:
      return std::make_unique<simulated::BilinearHinge>(
          make_hinge_settings(hysteresis.bilinear(), reference_stiffness, path));
    case config::Hysteresis::kBoucWen: {
      const config::BoucWenHinge& hinge = hysteresis.bouc_wen();
      const double n = hinge.has_n() ? hinge.n() : 2.0;
      require_at_least(n, 1.0, path + ".n");
      return std::make_unique<simulated::BoucWenHinge>(
          make_hinge_settings(hinge, reference_stiffness, path), n);
    }
    case config::Hysteresis::kElastic:
    case config::Hysteresis::KIND_NOT_SET:
      break;
  }
  return nullptr;
}

std::unique_ptr<SpecimenModel> make_column(const config::ColumnSpecimen& specimen, int dofs,
                                           const std::string& path) {
  constexpr int kMostDofs = 3;
  if (dofs < 1 || dofs > kMostDofs)
    throw SettingError(path,
                       "a column's top has 1 ([x]), 2 ([x, rz]) or 3 ([x, y, rz]) "
                       "interface DOFs; the site has " +
                           std::to_string(dofs));
  const simulated::ColumnSettings settings{.dofs = dofs,
                                           .elastic_modulus = specimen.e(),
                                           .area = specimen.a(),
                                           .second_moment = specimen.i(),
                                           .height = specimen.height(),
                                           .damping = specimen.damping()};
  // The stiffness grows with the inverse third power of the height, beyond what a double
  // holds.
  constexpr double kShortest = 1e-6;  // [m]
  if (settings.height < kShortest)
    throw SettingError(path + ".height",
                       "the column is shorter than any specimen; must be at least 1 um");
  require_above_zero(settings.elastic_modulus, path + ".E");
  require_above_zero(settings.area, path + ".A");
  require_above_zero(settings.second_moment, path + ".I");
  require_above_zero(settings.height, path + ".height");
  require_at_least(settings.damping, 0.0, path + ".damping");
  const double reference = simulated::ColumnSpecimen::end_stiffness(settings);
  const std::string hinges = path + ".hysteresis";
  return std::make_unique<simulated::ColumnSpecimen>(
      settings, make_hinge(specimen.hysteresis(), reference, hinges),
      make_hinge(specimen.hysteresis(), reference, hinges));
}

/// One number per DOF, none below zero; absent: zeros.
InterfaceVector make_per_dof(const google::protobuf::RepeatedField<double>& values,
                             int dofs, const std::string& path) {
  if (values.empty()) return InterfaceVector::Zero(dofs);
  if (values.size() != dofs)
    throw SettingError(path, "has " + std::to_string(values.size()) +
                                 " values; the site has " + std::to_string(dofs) +
                                 " interface DOFs");
  InterfaceVector vector(dofs);
  for (int i = 0; i < dofs; ++i) {
    require_at_least(values[i], 0.0, path + "[" + std::to_string(i) + "]");
    vector(i) = values[i];
  }
  return vector;
}

std::unique_ptr<SpecimenModel> make_springs(const config::SpringsSpecimen& specimen,
                                            int dofs, const std::string& path) {
  if (specimen.laws_size() != dofs)
    throw SettingError(path + ".laws", "has " + std::to_string(specimen.laws_size()) +
                                           " laws; the site has " + std::to_string(dofs) +
                                           " interface DOFs");
  std::vector<std::unique_ptr<materials::RestoringForce>> laws;
  for (int i = 0; i < dofs; ++i)
    laws.push_back(
        make_restoring_force(specimen.laws(i), path + ".laws[" + std::to_string(i) + "]"));
  return std::make_unique<simulated::SpringsSpecimen>(
      std::move(laws), make_per_dof(specimen.damping(), dofs, path + ".damping"),
      make_per_dof(specimen.mass(), dofs, path + ".mass"));
}

}  // namespace

std::unique_ptr<SpecimenModel> make_specimen(const config::Specimen& specimen,
                                             int controlled, int force_only,
                                             const std::string& path) {
  const int interface_dofs = controlled + force_only;
  switch (specimen.kind_case()) {
    case config::Specimen::kLinear:
      return make_linear(specimen.linear(), interface_dofs, path);
    case config::Specimen::kColumn:
      return make_column(specimen.column(), interface_dofs, path);
    case config::Specimen::kSprings:
      return make_springs(specimen.springs(), interface_dofs, path);
    case config::Specimen::kFrame:
      return make_frame_specimen(specimen.frame(), interface_dofs, path);
    case config::Specimen::kKinematic:
      return make_kinematic(specimen.kinematic(), controlled, force_only, path);
    case config::Specimen::kBondGraph:
      throw SettingError(path,
                         "a bond graph is moved by transfer_systems; give the rig one for "
                         "each of its ports");
    case config::Specimen::kQuarterVehicle:
      return make_vehicle(specimen.quarter_vehicle(), interface_dofs, path);
    case config::Specimen::kDynamic:
      return make_dynamic(specimen.dynamic(), interface_dofs, path);
    default:
      break;
  }
  throw SettingError(path,
                     "no specimen given; write kind: linear, column, springs, frame, "
                     "kinematic, quarter-vehicle or dynamic");
}

int force_only_dofs(const config::Specimen& specimen, int controlled) noexcept {
  const int rows = specimen.has_kinematic() ? specimen.kinematic().stiffness_size()
                                            : specimen_dofs(specimen);
  return std::clamp(rows - controlled, 0, std::max(kMaxInterfaceDofs - controlled, 0));
}

int specimen_dofs(const config::Specimen& specimen) noexcept {
  switch (specimen.kind_case()) {
    case config::Specimen::kLinear:
      return specimen.linear().stiffness_size();
    case config::Specimen::kSprings:
      return specimen.springs().laws_size();
    case config::Specimen::kFrame:
      return specimen.frame().interface_size();
    case config::Specimen::kQuarterVehicle:
      return 1;
    default:
      return 0;
  }
}

}  // namespace trestle::composition
