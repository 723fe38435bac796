#pragma once

#include <memory>
#include <string>
#include <vector>

#include "composition/processes/hybrid_test_nodes.h"
#include "composition/processes/rig_guard.h"
#include "gateway/operator/operator_server.h"
#include "proto/config/test.pb.h"

namespace trestle::composition {

/// Real equipment that an integrator's process drives itself: guarded as by a site server.
/// Each such site has a separate operators' socket in its rig's folder, for `trestle clear
/// SITE`.
class LocalRigs {
 public:
  /// Called before the sites become part of HybridTestNodes.
  /// @param sites   those of the test in this process, in its order; each learns which
  ///                drive a person says that its rig has in force
  /// @param folder  of the run
  /// @throws std::runtime_error  another process drives one of the rigs, or it is in FAULT
  LocalRigs(const config::Test& test, std::vector<LocalSite>& sites,
            const std::string& folder);

  bool any() const noexcept { return !served_.empty(); }
  /// From the thread that drives the lab, and before it ends: a crash makes the rigs hold.
  void start() { guard_.start(); }
  void stop() { guard_.stop(); }

  /// Called between two ticks, before any operator is answered: a fault is saved before it
  /// is reported. @returns notices for the operator
  std::vector<std::string> follow(HybridTestNodes& lab);

 private:
  struct Served {
    std::size_t site;  ///< of those in this process
    std::unique_ptr<operators::OperatorServer> operators;
  };
  RigGuard guard_;
  std::vector<Served> served_;
};

}  // namespace trestle::composition
