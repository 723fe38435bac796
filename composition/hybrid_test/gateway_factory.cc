#include "composition/hybrid_test/gateway_factory.h"

#include <cmath>

#include "core/base/setting_error.h"
#include "proto/config/gateway.pb.h"
#include "proto/config/matrix.pb.h"

namespace trestle::composition {
namespace {

constexpr Duration kUsualSilence = std::chrono::hours(1);
constexpr Duration kSilenceOfDatagrams = std::chrono::seconds(60);

using Rows = google::protobuf::RepeatedPtrField<config::Row>;

/// Column by column, as it travels.
std::vector<double> columns(const Rows& rows, std::size_t dofs, const std::string& path) {
  if (static_cast<std::size_t>(rows.size()) != dofs)
    throw SettingError(path, path + " has " + std::to_string(rows.size()) +
                                 " rows; the sites have " + std::to_string(dofs) +
                                 " controlled DOFs");
  std::vector<double> values(dofs * dofs);
  for (int i = 0; i < rows.size(); ++i) {
    const std::string row = path + "[" + std::to_string(i) + "]";
    if (static_cast<std::size_t>(rows[i].values_size()) != dofs)
      throw SettingError(row, "row " + std::to_string(i + 1) + " of " + path + " has " +
                                  std::to_string(rows[i].values_size()) +
                                  " values; must have " + std::to_string(dofs));
    for (std::size_t j = 0; j < dofs; ++j)
      values[j * dofs + static_cast<std::size_t>(i)] = rows[i].values(static_cast<int>(j));
  }
  return values;
}

/// From SI to the client's units: force of DOF i per motion of DOF j.
std::vector<double> in_units(const Eigen::MatrixXd& stiffness,
                             const openfresco_server::GatewaySettings& settings) {
  std::vector<double> length, force;
  for (const InterfaceLayout& site : settings.sites)
    for (const InterfaceDof& dof : site) {
      if (dof.role == DofRole::kForceOnly) continue;
      const bool turns = dof.kind == DofKind::kRotation;
      length.push_back(turns ? 1.0 : settings.length);
      force.push_back(turns ? settings.force * settings.length : settings.force);
    }
  std::vector<double> values;
  for (std::size_t j = 0; j < length.size(); ++j)
    for (std::size_t i = 0; i < length.size(); ++i)
      values.push_back(
          stiffness(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) *
          length[j] / force[i]);
  return values;
}

openfresco_server::ClientDialect dialect_of(config::ClientProtocol protocol) {
  if (protocol == config::CLIENT_PROTOCOL_SIZES)
    return openfresco_server::ClientDialect::kSizes;
  if (protocol == config::CLIENT_PROTOCOL_LAB)
    return openfresco_server::ClientDialect::kLab;
  return openfresco_server::ClientDialect::kAny;
}

std::vector<double> initial_stiffness(const config::GatewayFile& file,
                                      const openfresco_server::GatewaySettings& settings,
                                      const Eigen::MatrixXd& known) {
  if (file.initial_stiffness_size() > 0)
    return columns(file.initial_stiffness(), settings.controlled(), "initial_stiffness");
  if (static_cast<std::size_t>(known.rows()) != settings.controlled())
    throw SettingError("initial_stiffness",
                       "nobody here knows the specimens' initial stiffness, and OpenSees "
                       "asks for it; give `initial_stiffness`, one row per controlled DOF");
  return in_units(known, settings);
}

}  // namespace

openfresco_server::GatewaySettings make_gateway(const config::GatewayFile& file,
                                                const std::vector<InterfaceLayout>& sites,
                                                const Eigen::MatrixXd& stiffness,
                                                bool datagrams) {
  openfresco_server::GatewaySettings settings;
  settings.sites = sites;
  if (file.units().has_length()) settings.length = file.units().length();
  if (file.units().has_force()) settings.force = file.units().force();
  settings.dialect = dialect_of(file.protocol());
  settings.move_on_time = file.move_on_time();
  settings.patience = datagrams ? kSilenceOfDatagrams : kUsualSilence;
  if (file.has_patience())
    settings.patience = Duration{std::llround(file.patience() * 1e9)};
  const std::size_t dofs = settings.controlled();
  settings.initial_stiffness = initial_stiffness(file, settings, stiffness);
  settings.tangent_stiffness =
      file.tangent_stiffness_size() > 0
          ? columns(file.tangent_stiffness(), dofs, "tangent_stiffness")
          : settings.initial_stiffness;
  settings.damping.assign(dofs * dofs, 0.0);
  settings.mass.assign(dofs * dofs, 0.0);
  if (file.damping_size() > 0) settings.damping = columns(file.damping(), dofs, "damping");
  if (file.mass_size() > 0) settings.mass = columns(file.mass(), dofs, "mass");
  return settings;
}

}  // namespace trestle::composition
