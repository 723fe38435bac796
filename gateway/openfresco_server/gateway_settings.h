#pragma once

#include <cstddef>
#include <vector>

#include "core/base/time.h"
#include "core/types/interface_layout.h"
#include "gateway/openfresco_server/client_decoder.h"

namespace trestle::openfresco_server {

/// The sites that a client of the gateway drives, and the values that it receives.
struct GatewaySettings {
  std::vector<InterfaceLayout>
      sites;            ///< the client's DOFs are theirs, one after the other
  double length = 1.0;  ///< the client's unit [m]
  double force = 1.0;   ///< the client's unit [N]
  /// In the client's units, column by column, controlled × controlled.
  std::vector<double> initial_stiffness;
  std::vector<double> tangent_stiffness;
  std::vector<double> damping;
  std::vector<double> mass;
  ClientDialect dialect = ClientDialect::kAny;
  bool move_on_time = false;  ///< a trial at another time is a move
  /// From the first byte to agreed sizes.
  Duration handshake = std::chrono::seconds(10);
  Duration patience = std::chrono::hours(1);  ///< with a client that is silent

  std::size_t controlled() const noexcept {
    std::size_t count = 0;
    for (const InterfaceLayout& site : sites) count += controlled_dofs(site);
    return count;
  }
  std::size_t forces() const noexcept {
    std::size_t count = 0;
    for (const InterfaceLayout& site : sites) count += site.size();
    return count;
  }
};

}  // namespace trestle::openfresco_server
