#include "composition/sites/kinematics_factory.h"

#include "core/base/setting_error.h"
#include "proto/config/site.pb.h"
#include "site-servers/kinematics/coupler_frame.h"
#include "site-servers/kinematics/matrix_frame.h"

namespace trestle::composition {
namespace {

std::unique_ptr<const LoadingFrame> make_matrix_frame(const config::MatrixFrame& message,
                                                      int dofs, const std::string& path) {
  const auto& rows = message.actuator_from_interface();
  const std::string field = path + ".actuator_from_interface";
  Eigen::MatrixXd matrix(rows.size(), dofs);
  for (int i = 0; i < rows.size(); ++i) {
    const auto& values = rows[i].values();
    if (values.size() != dofs)
      throw SettingError(field + "[" + std::to_string(i) + "]",
                         "the row has " + std::to_string(values.size()) +
                             " numbers; the site has " + std::to_string(dofs) +
                             " interface DOFs");
    for (int j = 0; j < dofs; ++j) matrix(i, j) = values[j];
  }
  try {
    return std::make_unique<kinematics::MatrixFrame>(matrix);
  } catch (const SettingError& error) {
    throw SettingError(field, error.problems().front().what);
  }
}

std::unique_ptr<const LoadingFrame> make_coupler_frame(const config::CouplerFrame& message,
                                                       int dofs, const std::string& path) {
  if (dofs != 2)
    throw SettingError(path,
                       "a coupler moves two interface DOFs, x and rz of its node; "
                       "the site has " +
                           std::to_string(dofs));
  try {
    return std::make_unique<kinematics::CouplerFrame>(
        kinematics::CouplerSettings{.arm = message.arm(),
                                    .angle = message.angle(),
                                    .clockwise = message.clockwise(),
                                    .sine_in_inverse = message.sine_in_inverse()});
  } catch (const SettingError& error) {
    const SettingIssue& problem = error.problems().front();
    throw SettingError(path + "." + problem.path, problem.what);
  }
}

}  // namespace

std::unique_ptr<const LoadingFrame> make_loading_frame(const config::LoadingFrame& message,
                                                       int controlled_dofs,
                                                       const std::string& path) {
  switch (message.kind_case()) {
    case config::LoadingFrame::kMatrix:
      return make_matrix_frame(message.matrix(), controlled_dofs, path + ".matrix");
    case config::LoadingFrame::kCoupler:
      return make_coupler_frame(message.coupler(), controlled_dofs, path + ".coupler");
    case config::LoadingFrame::kIdentity:
    case config::LoadingFrame::KIND_NOT_SET:
      break;
  }
  return std::make_unique<kinematics::MatrixFrame>(
      kinematics::MatrixFrame::identity(controlled_dofs));
}

}  // namespace trestle::composition
