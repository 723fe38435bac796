#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "core/types/interface_layout.h"
#include "gateway/openfresco_server/gateway_settings.h"

namespace trestle::config {
class GatewayFile;
}  // namespace trestle::config

namespace trestle::composition {

/// @param sites      the layouts of the test, in its order
/// @param stiffness  what is known of the specimens', of all controlled DOFs [N/m, ...];
///                   size zero: not of all of them
/// @param datagrams  over UDP, where only silence shows that a client has left
/// @throws SettingError
openfresco_server::GatewaySettings make_gateway(const config::GatewayFile& file,
                                                const std::vector<InterfaceLayout>& sites,
                                                const Eigen::MatrixXd& stiffness,
                                                bool datagrams);

}  // namespace trestle::composition
