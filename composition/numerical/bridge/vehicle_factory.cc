#include "composition/numerical/bridge/vehicle_factory.h"

#include <algorithm>
#include <array>

#include "composition/linear/matrix_factory.h"
#include "core/base/nearest_name.h"
#include "core/base/setting_check.h"
#include "core/base/setting_error.h"
#include "core/math/dense_solve.h"
#include "proto/config/bridge.pb.h"
#include "proto/config/matrix.pb.h"
#include "proto/config/rig.pb.h"

namespace trestle::composition {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// A chain of two springs or dashpots: wheel, bogie, body.
MatrixXd chain(double primary, double secondary) {
  MatrixXd matrix(3, 3);
  matrix << primary, -primary, 0.0,               //
      -primary, primary + secondary, -secondary,  //
      0.0, -secondary, secondary;
  return matrix;
}

MatrixXd rows_or_zero(const google::protobuf::RepeatedPtrField<config::Row>& rows,
                      Index size, const std::string& path) {
  if (rows.empty()) return MatrixXd::Zero(size, size);
  MatrixXd matrix = make_matrix(rows, path);
  if (matrix.rows() != size || matrix.cols() != size)
    throw SettingError(path, "is " + std::to_string(matrix.rows()) + " x " +
                                 std::to_string(matrix.cols()) + "; must be " +
                                 std::to_string(size) + " x " + std::to_string(size));
  return matrix;
}

/// Every free DOF must have something to move by.
void require_mass(const bridge::LinearVehicleSettings& settings, const std::string& path) {
  const Index n = settings.mass.rows() - settings.contacts;
  if (n == 0) return;
  const MatrixXd mass = settings.mass.bottomRightCorner(n, n);
  if (!math::cholesky_factor(mass))
    throw SettingError(path,
                       "is not positive definite among the DOFs that are no contacts; "
                       "each of them needs a mass");
}

MatrixXd reordered(const MatrixXd& matrix, const std::vector<Index>& order) {
  const auto n = static_cast<Index>(order.size());
  MatrixXd result(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      result(i, j) =
          matrix(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
  return result;
}

}  // namespace

NamedVehicle make_vehicle(const config::QuarterVehicle& vehicle, const std::string& path) {
  require_positive(vehicle.car_mass(), path + ".car_mass");
  require_positive(vehicle.bogie_mass(), path + ".bogie_mass");
  require_positive(vehicle.primary_stiffness(), path + ".primary_stiffness");
  require_positive(vehicle.secondary_stiffness(), path + ".secondary_stiffness");
  const double wheel = vehicle.wheel_inertia() ? vehicle.wheel_mass() : 0.0;
  const Eigen::Vector3d masses(wheel, vehicle.bogie_mass(), vehicle.car_mass());
  return {
      {masses.asDiagonal(), chain(vehicle.primary_damping(), vehicle.secondary_damping()),
       chain(vehicle.primary_stiffness(), vehicle.secondary_stiffness()), 1},
      {},
      {"bogie", "body"}};
}

NamedVehicle make_vehicle(const config::MultiBody& vehicle, const std::string& path) {
  const std::vector<std::string> dofs(vehicle.dofs().begin(), vehicle.dofs().end());
  const auto size = static_cast<Index>(dofs.size());
  std::vector<Index> order;
  NamedVehicle named;
  for (int i = 0; i < vehicle.contacts_size(); ++i) {
    const std::string& name = vehicle.contacts(i).dof();
    const auto found = std::find(dofs.begin(), dofs.end(), name);
    if (found == dofs.end())
      throw SettingError(
          path + ".contacts[" + std::to_string(i) + "]",
          "`" + name + "` is none of the vehicle's dofs" + suggest(name, dofs));
    order.push_back(found - dofs.begin());
    named.contacts.push_back(name);
  }
  for (Index i = 0; i < size; ++i) {
    if (std::find(order.begin(), order.end(), i) != order.end()) continue;
    order.push_back(i);
    named.free.push_back(dofs[static_cast<std::size_t>(i)]);
  }
  if (order.size() != dofs.size())
    throw SettingError(path + ".contacts", "names a DOF twice");
  const auto read = [&](const config::Matrix& matrix, const char* name) {
    return reordered(make_matrix(matrix, size, size, path + "." + name), order);
  };
  named.settings.contacts = vehicle.contacts_size();
  named.settings.mass = read(vehicle.mass(), "mass");
  named.settings.stiffness = read(vehicle.stiffness(), "stiffness");
  named.settings.damping = vehicle.has_damping_matrix()
                               ? read(vehicle.damping_matrix(), "damping_matrix")
                               : MatrixXd::Zero(size, size);
  require_mass(named.settings, path + ".mass");
  return named;
}

NamedVehicle make_vehicle(const config::Specimen& specimen, int dofs,
                          const std::string& path) {
  if (specimen.has_quarter_vehicle()) {
    if (dofs != 1)
      throw SettingError(path, "a quarter vehicle has one interface DOF; the site has " +
                                   std::to_string(dofs));
    return make_vehicle(specimen.quarter_vehicle(), path + ".quarter_vehicle");
  }
  const auto read = [&](const auto& message, const std::string& here) {
    NamedVehicle named;
    named.settings.contacts = dofs;
    const Index size = message.stiffness_size();
    if (size < dofs)
      throw SettingError(here + ".stiffness", "has " + std::to_string(size) +
                                                  " rows; the site has " +
                                                  std::to_string(dofs) + " interface DOFs");
    named.settings.stiffness = rows_or_zero(message.stiffness(), size, here + ".stiffness");
    named.settings.damping = rows_or_zero(message.damping(), size, here + ".damping");
    named.settings.mass = rows_or_zero(message.mass(), size, here + ".mass");
    for (Index i = dofs; i < size; ++i)
      named.free.push_back("inner" + std::to_string(i - dofs + 1));
    require_mass(named.settings, here + ".mass");
    return named;
  };
  if (specimen.has_dynamic()) return read(specimen.dynamic(), path + ".dynamic");
  if (specimen.has_linear()) return read(specimen.linear(), path + ".linear");
  throw SettingError(path,
                     "the undivided structure takes a specimen of kind "
                     "quarter-vehicle, dynamic or linear on the bridge");
}

}  // namespace trestle::composition
