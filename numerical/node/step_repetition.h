#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ports/numerical_substructure.h"
#include "core/types/message.h"

namespace trestle::integrator_node {

/// The steps that each site must execute again because its record lost them, and must
/// answer with the same bits. Not for the step path.
class StepRepetition {
 public:
  enum class Verdict : std::uint8_t {
    kIgnored,   ///< not of the step that is asked for
    kRepeated,  ///< the next one may be asked for
    kDiffers,   ///< the rig is not where it was
  };

  explicit StepRepetition(std::size_t sites) : sites_(sites) {}

  void clear();
  /// A step for this site, after those before. @param answer  that it gave the first time
  void add(std::size_t site, const StepCommand& command, const SiteResponse& answer);

  bool owes(std::size_t site) const noexcept;
  bool anybody_owes() const noexcept;
  /// @pre owes()
  const StepCommand& next(std::size_t site) const noexcept;
  /// @pre owes()
  Verdict accept(std::size_t site, const StepResponse& response) noexcept;

 private:
  struct Site {
    std::vector<StepCommand> commands;
    std::vector<SiteResponse> answers;
    std::size_t done = 0;
  };

  std::vector<Site> sites_;
};

}  // namespace trestle::integrator_node
