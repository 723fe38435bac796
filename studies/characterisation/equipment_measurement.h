#pragma once

#include <cstdint>
#include <string>

#include "composition/processes/rig_guard.h"
#include "core/journal/journal_recorder.h"
#include "gateway/operator/operator_server.h"
#include "site-servers/node/tared_rig.h"
#include "studies/characterisation/characterisation_setup.h"
#include "studies/characterisation/measurement_display.h"
#include "studies/characterisation/rig_operations.h"

namespace trestle::characterisation {

/// The measurement of real equipment: the guard of its rig, the record, and the operators
/// who arm and end it.
class EquipmentMeasurement {
 public:
  /// @param folder    of the record and of the operators' socket
  /// @param software  version, for the record
  /// @throws std::runtime_error  the rig is in use or in FAULT, its tare is of another rig,
  /// or the folder is in use
  EquipmentMeasurement(CharacterisationSetup& setup, std::string folder,
                       const std::string& software, MeasurementDisplay& display);
  EquipmentMeasurement(const EquipmentMeasurement&) = delete;
  EquipmentMeasurement& operator=(const EquipmentMeasurement&) = delete;

  /// Waits for an operator to arm the rig, then measures it. The rig holds in the end.
  /// @throws SettingError if the plan does not fit the limits
  CharacteriseReport run();

 private:
  void record_overrides();
  EquipmentCare care();
  std::string attend(std::int64_t ticks);
  void follow_signals();
  std::string wait_until_armed();
  void take_told_drive();

  CharacterisationSetup& setup_;
  std::string folder_;
  MeasurementDisplay& display_;
  composition::RigGuard guard_;
  site_node::EarlierLife earlier_;
  site_node::TaredRig rig_;  // as the site has it in a test
  operators::OperatorServer operators_;
  journal::JournalRecorder recorder_;
  RigOperations operations_;
};

/// Measures the rig of a set-up; real equipment with its record in `folder`.
/// @param folder    empty: a new one, runs/characterise-SITE-TIME; ignored for a simulated
///                  rig
/// @throws ConfigError if the plan does not fit the limits
/// @throws MeasurementRefusal  as EquipmentMeasurement and make_measurement_folder()
CharacteriseReport measure_rig(CharacterisationSetup& setup, const std::string& folder,
                               const std::string& software, MeasurementDisplay& display);

}  // namespace trestle::characterisation
