#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/operator_interface.h"
#include "gateway/operator/operator_request.h"

namespace trestle::operators {

/// A node with a given state that executes or refuses commands as configured, and records
/// them.
class FakeOperated final : public OperatorInterface {
 public:
  FakeOperated() {
    now.node = "integrator";
    now.test = "two-site frame";
    now.session = "4f2e";
    now.state = "RUNNING";
    now.step = 412;
    now.steps = 1000;
    now.time_step = 0.01;
    now.peers = {{"west", "tcp://lab-west:7001", "RUNNING", 412, 0.25},
                 {"east", "tcp://lab-east:7001", "OFFLINE", -1, -1.0}};
  }

  NodeStatus status() const override { return now; }
  std::string arm(const std::string& by) override { return told("arm", by, ""); }
  std::string hold(const std::string& by, const std::string& reason) override {
    return told("hold", by, reason);
  }
  std::string resume(const std::string& by) override { return told("resume", by, ""); }
  std::string stop(const std::string& by, const std::string& reason) override {
    return told("stop", by, reason);
  }
  std::string clear(const std::string& by) override { return told("clear", by, ""); }
  std::string command_rig(const std::string& by, const RigRequest& request) override {
    return told("rig " + std::string(name(request.action)), by, request.amount);
  }
  bool command_under_way() const noexcept override { return under_way; }
  std::optional<std::string> take_outcome() override {
    if (outcome) under_way = false;
    return std::exchange(outcome, std::nullopt);
  }

  struct Order {
    std::string verb;
    std::string by;
    std::string reason;
  };

  NodeStatus now;
  std::string refusal;  ///< of every command
  std::vector<Order> orders;
  bool under_way = false;              ///< its last command waits for the equipment
  std::optional<std::string> outcome;  ///< of that; nothing: not there yet

 private:
  std::string told(const std::string& verb, const std::string& by,
                   const std::string& reason) {
    orders.push_back({verb, by, reason});
    return refusal;
  }
};

}  // namespace trestle::operators
