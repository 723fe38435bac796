#pragma once

#include <cstdint>

#include "numerical/integration/structure_rows.h"

namespace trestle::lanes {

/// The number of this interface between program and module.
inline constexpr int kLaneModuleVersion = 2;
inline constexpr int kLaneActuators = 2;  ///< of a coupler

/// Limits of one actuator. Infinite: none.
struct LaneLimits {
  double displacement = 0.0;
  double rate = 0.0;
  double acceleration = 0.0;
  double force = 0.0;
  double tracking_error = 0.0;
  double target = 0.0;  ///< of the interface DOF of the same number
};

/// What a batch of runs computes. The runs differ in their parts alone; all else is one
/// number for all lanes. Plain data: the program and the module are compiled apart.
struct LaneProblem {
  std::int64_t steps = 0;
  double time_step = 0.0;  ///< Δt, and the control tick [s]

  // The structure, by constant average acceleration with the sites' last forces.
  int equations = 0;
  integration::StructureRows rows;
  const double* inverse = nullptr;  ///< of the effective matrix, symmetric
  const double* loads = nullptr;    ///< of the excitation, step by step
  int forces = 0;                   ///< interface DOFs, controlled ones first
  const int* force_equations = nullptr;
  int recorded = 0;
  const int* recorded_equations = nullptr;

  // The site.
  bool sine_in_inverse = false;  ///< of the coupler
  bool forwards_targets =
      false;            ///< the drive is the target: no compensator, no controller
  int narx_window = 0;  ///< [ticks]; above zero: the compensator is the NARX of the parts
  LaneLimits limits[kLaneActuators];
  const double* noise = nullptr;  ///< of the displacement transducers, read by read

  /// Of each lane: what LaneParts::fields() gives, number by number, each matrix behind its
  /// rows and columns.
  const double* const* parts = nullptr;
};

/// What the module hands to the program in each step: values by lane, the lanes of one
/// value side by side.
struct LaneRow {
  enum Place : int {
    kTarget = 0,                                   ///< of the interface: displacement
    kStroke = kTarget + kLaneActuators,            ///< of that target
    kMeasured = kStroke + kLaneActuators,          ///< strokes
    kForce = kMeasured + kLaneActuators,           ///< of the actuators
    kPosition = kForce + kLaneActuators,           ///< of the interface, measured
    kInterfaceForce = kPosition + kLaneActuators,  ///< one per interface DOF
  };
  /// The displacements of the recorded equations come behind the interface forces.
  static constexpr int recorded(int forces) noexcept { return kInterfaceForce + forces; }
  static constexpr int size(int forces, int recorded_equations) noexcept {
    return recorded(forces) + recorded_equations;
  }
};

/// What compensators and controllers get: strokes with their rates, what was measured.
struct LaneRequest {
  enum Place : int {
    kStroke = 0,
    kRate = kStroke + kLaneActuators,
    kAcceleration = kRate + kLaneActuators,
    kMeasured = kAcceleration + kLaneActuators,
    kForce = kMeasured + kLaneActuators,
    kLastCommand = kForce + kLaneActuators,
    kSize = kLastCommand + kLaneActuators,
  };
};

/// The program, as a module calls it.
struct LaneHost {
  void* context = nullptr;
  /// Fills in commands, then drives, from a LaneRequest. Unused if targets are forwarded,
  /// and with NARX.
  void (*drive)(void* context, const double* request, double* answer) = nullptr;
  /// Before the last row: what NARX learnt, actuator by actuator, the lanes of one
  /// coefficient side by side.
  void (*learnt)(void* context, const double* coefficients, int of_actuator) = nullptr;
  /// Takes a LaneRow; that of step −1 is the initial measurement, without targets.
  /// @param left  per lane: it has left the common path, and its values say nothing
  /// @returns false: stop
  bool (*row)(void* context, std::int64_t step, const double* row,
              const unsigned char* left) = nullptr;
};

/// The functions of a module.
using LaneVersion = int();
using LaneCount = int();
using LaneRun = void(const LaneProblem& problem, const LaneHost& host);

}  // namespace trestle::lanes
