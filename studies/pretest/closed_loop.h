#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ports/linear_models.h"
#include "studies/pretest/linear_rig_model.h"
#include "studies/pretest/linear_specimen_model.h"
#include "studies/pretest/linear_substructure_model.h"

namespace trestle::pretest {

/// One site of the loop, near rest.
struct ClosedLoopSite {
  std::string name;
  int ticks = 1;                 ///< per step
  double time_step = 0.0;        ///< of the wall: scale·Δt; from command to command [s]
  double scale = 1.0;            ///< of the wall's time over the structure's
  Eigen::MatrixXd to_actuators;  ///< actuators × controlled DOFs
  Eigen::MatrixXd to_interface;  ///< controlled DOFs × actuators
  Eigen::MatrixXd felt_force;    ///< of the controlled DOFs, through the actuators and back
  std::vector<LinearCompensatorModel> compensator;  ///< one per actuator
  LinearControllerModel controller;
  LinearRigModel rig;
  LinearSpecimenModel specimen;
  /// The mass whose inertia along the path of the targets is removed from the forces: rows
  /// of all DOFs, columns of the controlled ones; size zero: none.
  Eigen::MatrixXd mass{};
  bool inertia_measured = false;  ///< the acceleration is what the specimen feels
  /// Replaces ideal actuators if rig and specimen form one system; empty: they jump to
  /// their drives.
  std::optional<LinearRigModel> ideal{};

  Eigen::Index actuators() const noexcept { return to_actuators.rows(); }
  Eigen::Index controlled() const noexcept { return to_actuators.cols(); }
  Eigen::Index forces() const noexcept { return specimen.system.D.rows(); }
  double tick() const noexcept { return time_step / ticks; }
};

/// A whole test near rest, without excitation.
struct ClosedLoop {
  LinearSubstructureModel numerical;
  std::vector<ClosedLoopSite> sites;
  int latency_steps = 0;  ///< L: correct(k) uses the answers to step k − L
};

/// The matrix that takes the state of the whole loop from one step to the next: numerical
/// part with its integrator, answers under way, and of every site last target, memory of
/// compensator and controller, delayed drives, actuators, specimen and last reading.
/// Made of its parts as the test runs them: one step of all unit states at once; of a step
/// with several commands, one command after the other.
/// @param delays  further pure delay of every actuator, site by site [s]; empty: none
Eigen::MatrixXd step_matrix(const ClosedLoop& loop, const std::vector<double>& delays);

/// Its rows.
Eigen::Index loop_states(const ClosedLoop& loop, const std::vector<double>& delays);

/// How late the measured displacement of every actuator follows a slow command, controller
/// included [s]: −d arg H/dω at rest. NaN if its controller gives it no gain at rest.
std::vector<double> low_frequency_delays(const ClosedLoopSite& site);

/// How late a compensator's command follows a slow target [s]; negative: it leads.
double low_frequency_delay(const LinearCompensatorModel& form, double tick);

}  // namespace trestle::pretest
