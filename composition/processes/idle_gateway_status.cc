#include "composition/processes/idle_gateway_status.h"

#include <utility>

namespace trestle::composition {
namespace {

constexpr const char* kNoTest = "no client drives a test now";

}  // namespace

IdleGatewayStatus::IdleGatewayStatus(std::string test,
                                     const openfresco_server::OpenFrescoGateway& gateway)
    : test_(std::move(test)), gateway_(gateway) {}

NodeStatus IdleGatewayStatus::status() const {
  NodeStatus now;
  now.node = "gateway";
  now.test = test_;
  now.state = "WAITING";
  const bool called = !gateway_.port().client().empty();
  now.waits.push_back({called ? gateway_.who() : "a client",
                       called ? "its next word" : "a call at " + gateway_.port().address(),
                       0.0, 0.0, "nothing moves meanwhile"});
  return now;
}

std::string IdleGatewayStatus::arm(const std::string& /*by*/) {
  return kNoTest;
}

std::string IdleGatewayStatus::hold(const std::string& /*by*/,
                                    const std::string& /*reason*/) {
  return kNoTest;
}

std::string IdleGatewayStatus::resume(const std::string& /*by*/) {
  return kNoTest;
}

std::string IdleGatewayStatus::stop(const std::string& /*by*/,
                                    const std::string& /*reason*/) {
  return kNoTest;
}

std::string IdleGatewayStatus::clear(const std::string& /*by*/) {
  return kNoTest;
}

}  // namespace trestle::composition
