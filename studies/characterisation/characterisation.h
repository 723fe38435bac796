#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/ports/loading_frame.h"
#include "core/ports/site_adapter.h"
#include "core/types/fault.h"
#include "core/types/limits.h"
#include "core/types/message.h"
#include "site-servers/checks/drive_in_force.h"
#include "site-servers/checks/startup_check_settings.h"
#include "studies/characterisation/equipment_driver.h"
#include "studies/characterisation/identified_transfer.h"
#include "studies/controller_design/mixed_sensitivity.h"

namespace trestle::characterisation {

struct CharacteriseSettings {
  double tick = 1.0 / 1024.0;       ///< control tick [s]
  bool noise = false;               ///< band-limited noise in place of a chirp
  std::vector<double> amplitude{};  ///< of each actuator [m | rad]
  double lowest = 0.1;              ///< [Hz]
  double highest = 20.0;            ///< [Hz]
  double duration = 60.0;           ///< of the signal [s]
  std::optional<int> order{};       ///< of every fit; nothing: the best of 1 to 4
  bool coupled = false;             ///< fits what each actuator does to the others, too
  std::uint64_t seed = 0;
  std::vector<ActuatorDescription> actuators{};   ///< names and kinds; empty: the rig's
  controller_design::SensitivitySettings hinf{};  ///< of a controller to be designed
  std::vector<double> target_limits{};  ///< of interface DOFs in the site's file [m | rad]
};

/// The results of one actuator from the rest, the small motions and the signal.
struct ActuatorFinding {
  double position = 0.0;            ///< position: mean reading at rest [m | rad]
  double offset = 0.0;              ///< of that from its drive [m | rad]
  double force_offset = 0.0;        ///< mean at rest [N | N·m]
  double displacement_noise = 0.0;  ///< standard deviation [m | rad]
  double force_noise = 0.0;         ///< standard deviation [N | N·m]
  double slope = 0.0;               ///< of measured displacement over drive
  double slope_deviation = 0.0;
  double stiffness = 0.0;     ///< of force over measured displacement; 0: none felt
  double settled_gain = 0.0;  ///< of a small step
  double settled_deviation = 0.0;
  double rise_time = 0.0;        ///< 10 to 90 % of that step [s]
  double drive_rise_time = 0.0;  ///< the same of its drive [s]
  /// Largest root mean square in the band of the effect of its drive on another actuator:
  /// displacement over drive; 0: within the noise.
  double crosstalk = 0.0;
  int crosstalk_to = 0;
  IdentifiedTransfer transfer{};
};

/// The effect of driving one actuator on another.
struct CouplingFinding {
  int to = 0;
  int from = 0;
  IdentifiedTransfer transfer{};  ///< without delay: that of `from`'s actuator applies
};

/// The further steps of a measurement of real equipment: an operator arms it, checks run
/// first, and its ticks must be in time.
struct EquipmentCare {
  checks::StartCheckSettings start_checks{};
  EquipmentDriverSettings driver{};  ///< but for the tick, which is that of the settings
  /// The drive that a person says is in force, and how the rig then stood.
  std::optional<DriveInForce> stood{};
  /// Waits for the operator's word. @returns why there is none; empty: it is armed
  std::function<std::string()> armed{};
  /// Reports the present activity, "actuator 1: the step", and its planned control ticks.
  std::function<void(const std::string& what, std::int64_t ticks_planned)> tell{};
};

enum class CharacterisationOutcome : std::uint8_t {
  kComplete,
  kFault,     ///< gate or rig tripped: it holds
  kPolarity,  ///< something moves the wrong way, or not at all: it is back where it stood
  kAsked,     ///< a person asked for a stop: it holds
  kRefused,   ///< real equipment that failed its start-up checks: it holds
};

struct CharacteriseReport {
  CharacterisationOutcome end = CharacterisationOutcome::kComplete;
  std::string reason;  ///< one sentence, where it is not complete
  Fault fault{};
  std::vector<ActuatorFinding> actuators{};
  std::vector<CouplingFinding> coupling{};  ///< of coupled settings
  double duration = 0.0;                    ///< of all that was done [s]
  std::int64_t overruns = 0;                ///< control ticks that came too late
  Duration latest{};                        ///< of real equipment's control ticks
};

/// Measures a rig: a zero reading; of each actuator polarity, a small step and the signal;
/// the others held. Every motion passes the safety gate, and is compared with the limits
/// before anything moves.
///
/// @param limits   one per actuator
/// @param adapter  not yet prepared
/// @param asked    whether a person asked for a stop; looked at once per tick
/// @throws SettingError with the paths of SITE.yaml, where the plan does not fit the limits
CharacteriseReport characterise(const CharacteriseSettings& settings,
                                const RigLimits& limits, const LoadingFrame& frame,
                                SiteAdapter& adapter, const std::function<bool()>& asked);

/// The same for real equipment: the plan is compared with the limits from the present
/// position, an operator arms the rig, the start-up checks run, and then it moves by time.
/// At the end it always holds.
CharacteriseReport characterise(const CharacteriseSettings& settings,
                                const RigLimits& limits, const LoadingFrame& frame,
                                SiteAdapter& adapter, const EquipmentCare& care);

/// The motions of each actuator and their peaks against its limits, a line each.
std::string planned_motions(const CharacteriseSettings& settings, const RigLimits& limits,
                            const RigDescription& rig);

}  // namespace trestle::characterisation
