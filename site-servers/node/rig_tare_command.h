#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/ports/site_adapter.h"
#include "core/types/limits.h"
#include "core/types/rig_report.h"
#include "core/types/rig_request.h"
#include "site-servers/node/rig_tare.h"

namespace trestle::site_node {

/// A person's command to tare a rig, or to undo it.
struct RigTareCommand {
  bool undo = false;
  std::vector<std::string> channels{};  ///< named ones, or all that are meant
  std::string words{};                  ///< "tare of 1.force, 2.force"
};

/// Reads a tare or its undoing. Without names a tare means all load cells, and an undoing
/// all that is tared.
/// @returns the command, or one sentence: what is wrong with it
std::variant<RigTareCommand, std::string> read_tare_command(const RigRequest& request,
                                                            const RigDescription& rig,
                                                            const RigTare& present);

/// The whole tare after the command. The new offsets of the named channels make their mean
/// readings zero; others stay. An offset above a quarter of the limit of force of its
/// actuator is a load, and is refused: the limit would no longer protect what it is for.
/// @param readings  with the present tare; of an undoing not used
/// @param limits    the laboratory's, one per actuator
/// @returns the offsets, or one sentence: why not
std::variant<std::vector<TareOffset>, std::string> tare_offsets(
    const RigTareCommand& command, const std::vector<RigReading>& readings,
    const RigLimits& limits, const RigTare& present);

/// Gives a reading before a change of the tare the value that it has after it.
void show_tare(RigReading& reading, const RigTare& tare);

/// "subtracted: 1.force 0.0123 kN, ...", or that nothing is any longer.
std::string tare_text(const RigTareCommand& command, const RigTare& tare);

}  // namespace trestle::site_node
