#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/timing/monotonic_clock.h"
#include "gateway/openfresco_server/openfresco_gateway.h"

namespace trestle::openfresco_server {

/// A gateway on a separate thread, with springs in place of sites: force = stiffness times
/// displacement. It serves one client after the other, as the program does.
class GatewayHost {
 public:
  GatewayHost(const GatewaySettings& settings, bool datagrams, double stiffness = 2.8);
  ~GatewayHost();

  const std::string& address() const { return port_->address(); }

  /// Waits until `tests` tests have ended. @returns how the last one ended
  ExternalTargetSource::State ended(int tests) const;
  std::string why() const { return why_; }
  /// Waits until a notice contains these words, at most ten seconds.
  bool told(const std::string& words) const;
  /// So far.
  std::ptrdiff_t lines_told() const;
  int moves() const { return moves_; }
  /// From the next move on the test is over and the client is not told.
  void trip() { tripped_ = true; }

 private:
  void serve();
  void run_test();
  void tell();

  double stiffness_;
  timing::MonotonicClock clock_;
  std::unique_ptr<ClientPort> port_;
  OpenFrescoGateway gateway_;
  std::vector<SiteTarget> requests_;
  std::vector<SiteResponse> answers_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> tripped_{false};
  std::atomic<int> tests_{0};
  std::atomic<int> moves_{0};
  std::atomic<ExternalTargetSource::State> last_{ExternalTargetSource::State::kPending};
  std::string why_;
  mutable std::mutex told_busy_;
  std::string told_;
  std::thread thread_;
};

/// One DOF, `tip.x`, with a stiffness of 2.8 where it is asked for, damping 0 and mass 0.
GatewaySettings one_spring(int dofs = 1);

}  // namespace trestle::openfresco_server
