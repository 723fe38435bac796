#pragma once

#include <string>

namespace trestle {

/// A person's command to the rig of a site between two tests, as it was written. Empty
/// texts are not given.
struct RigRequest {
  enum class Action {
    kStatus,    ///< reads all transducers for a second
    kZero,      ///< the same, and keeps the means as the zero readings
    kJog,       ///< moves one actuator by an amount
    kHome,      ///< moves all actuators to zero drive
    kTare,      ///< the same, and subtracts the means of load cells from now on
    kUndoTare,  ///< subtracts nothing any longer
    kExercise,  ///< moves each actuator by a small sine, and measures how it follows
    kRelease,   ///< makes the rig safe to approach, as its driver offers it
    /// Ends the record of a test that was cut off: it cannot be resumed any longer.
    kSetAside,
    kContinue,  ///< the motion may continue: repeated while it lasts
    kEnd,       ///< the motion ends in a hold
  };

  Action action = Action::kStatus;
  std::string actuator{};  ///< of a jog or an exercise: name or number
  /// Of a jog: "2mm"; amplitude of an exercise: one for all or one each.
  std::string amount{};
  std::string rate{};       ///< peak of a motion: "1mm/s"; home: one for all or one each
  std::string force{};      ///< that ends a motion: "10kN"; home: one for all or one each
  std::string drive{};      ///< in force, if the equipment does not report it: "14.94mm"
  std::string channels{};   ///< of a tare: names with commas between them; empty: all load
                            ///< cells (undo: all tared channels)
  std::string frequency{};  ///< of an exercise: "0.5Hz"
  std::string delay{};      ///< of an exercise: the largest that is stated, "20ms"
  std::string noise{};      ///< of an exercise: the largest that is stated, as amount
  /// Chosen by the program that gives the command; kContinue and kEnd with another one are
  /// refused.
  std::string token{};
  bool operator==(const RigRequest&) const = default;

  /// Not only read: the audit needs to know the person.
  bool acts() const noexcept { return action != Action::kStatus; }
};

}  // namespace trestle
