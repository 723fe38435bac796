#pragma once

#include <string>

#include "core/ports/operator_interface.h"
#include "gateway/openfresco_server/openfresco_gateway.h"

namespace trestle::composition {

/// Answers operators of a gateway while no test runs.
class IdleGatewayStatus final : public OperatorInterface {
 public:
  IdleGatewayStatus(std::string test, const openfresco_server::OpenFrescoGateway& gateway);

  NodeStatus status() const override;
  std::string arm(const std::string& by) override;
  std::string hold(const std::string& by, const std::string& reason) override;
  std::string resume(const std::string& by) override;
  std::string stop(const std::string& by, const std::string& reason) override;
  std::string clear(const std::string& by) override;

 private:
  std::string test_;
  const openfresco_server::OpenFrescoGateway& gateway_;
};

}  // namespace trestle::composition
