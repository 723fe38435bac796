#pragma once

#include <span>
#include <vector>

#include "core/openfresco/openfresco_protocol.h"
#include "core/ports/numerical_substructure.h"
#include "gateway/openfresco_server/gateway_settings.h"

namespace trestle::openfresco_server {

/// Converts the requests of a client and the measurements of the sites between the client's
/// vectors and units and SI. Displacements of all controlled DOFs in the order of the
/// sites; forces likewise, then those of force-only DOFs.
class ClientCommand {
 public:
  explicit ClientCommand(const GatewaySettings& settings);

  /// Another client, or another test.
  void reset() noexcept;

  /// Takes the state that a trial carries; `values` begin behind the code.
  /// @returns false if a number is not finite
  bool set_trial(const openfresco::Responses& sizes,
                 std::span<const double> values) noexcept;
  void take_time(const openfresco::Responses& sizes,
                 std::span<const double> values) noexcept;

  /// By so much that it is a command to move: a first trial is, and one that is farther
  /// than the rounding of a real from the last that moved (OpenFresco EEGeneric).
  bool moves(bool by_time) const noexcept;

  /// Fills the targets; the sites come to rest there, at their own rates.
  void command(std::span<SiteTarget> requests) noexcept;
  void measured(std::span<const SiteResponse> answers) noexcept;

  /// All responses that share a reply; zeros elsewhere. Velocities and accelerations are
  /// those of the trial: sites measure none.
  void fill(const openfresco::Responses& sizes, std::span<double> reply) const noexcept;

  // The client's own numbers of the state that was commanded last, in SI.
  std::span<const double> displacement() const noexcept { return trial_.displacement; }
  double to_si(std::size_t dof, double displacement) const noexcept {
    return displacement * length_[dof];
  }
  std::span<const double> velocity() const noexcept { return trial_.velocity; }
  std::span<const double> acceleration() const noexcept { return trial_.acceleration; }
  double time() const noexcept { return trial_.time; }

 private:
  struct State {
    std::vector<double> displacement;
    std::vector<double> velocity;
    std::vector<double> acceleration;
    double time = 0.0;
  };

  std::vector<double> length_;  ///< of a controlled DOF's motion [m or rad per unit]
  std::vector<double> force_;   ///< of each DOF's force [unit per N or N·m]
  State trial_;
  std::vector<double> commanded_;
  double commanded_at_ = 0.0;
  bool any_ = false;  ///< a target was commanded
  std::vector<double> measured_;
  std::vector<double> forces_;
};

}  // namespace trestle::openfresco_server
