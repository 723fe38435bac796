#pragma once

#include <string>

#include "numerical/node/integrator_node.h"

namespace trestle::composition {

/// Handles Ctrl-C, SIGTERM and similar signals during a test: they hold it. Only a Ctrl-C
/// after the one that held real equipment ends it (docs/howto/operate-a-test.md).
class Interruption {
 public:
  /// @param folder     of the run
  /// @param called     --as
  /// @param rigs_here  real equipment is driven by this process itself
  Interruption(std::string folder, std::string called, bool rigs_here);

  /// Called between two ticks. @returns the notice for the person at the terminal, or empty
  std::string follow(integrator_node::IntegratorNode& integrator);

 private:
  std::string stay(integrator_node::IntegratorNode& integrator, const std::string& reason);

  std::string folder_;
  std::string called_;
  bool rigs_here_;
  bool told_ = false;  ///< the notice was given, and the test has been held since
};

}  // namespace trestle::composition
