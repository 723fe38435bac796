#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/evaluation/run_history.h"
#include "core/evaluation/synchronisation.h"

namespace trestle::evaluation {

/// The columns of a RunHistory that the criteria use. A row contains one step k. Its
/// measured values are the readings when the target of step k was sent: the response to
/// step k−1, in row 0 the initial measurement.
struct CriteriaColumns {
  static constexpr int kNone = -1;
  struct Actuator {
    std::string name;   ///< "bay 1": site and actuator
    int target = 0;     ///< [m | rad]
    int measured = 0;   ///< [m | rad]
    int force = 0;      ///< [N | N·m]
    int moved = kNone;  ///< measured, without the sensor's noise; kNone: as measured
  };
  struct InterfaceMotion {
    std::string name;             ///< `<node>.<dof>`
    int numerical = 0;            ///< [m | rad]
    int measured = 0;             ///< [m | rad]
    int reference = kNone;        ///< [m | rad]
    int force = 0;                ///< as `moved` [N | N·m]
    int reference_force = kNone;  ///< [N | N·m]
    int model = kNone;            ///< as the model has it at step k [m | rad]
  };
  struct Response {
    std::string name;
    int numerical = 0;
    int reference = kNone;
  };
  std::vector<Actuator> actuators;         ///< in the order of sites and actuators
  std::vector<InterfaceMotion> interface;  ///< controlled DOFs, in the order of the sites
  std::vector<Response> responses;         ///< as the test names them
  /// A motion of the model in row k is read in row k + late.
  std::size_t late = 1;
};

/// Over which part of the run the interface is looked at as a synchronisation plot does.
struct SynchronisationWindow {
  double from = 0.0;                                       ///< [s]
  double until = std::numeric_limits<double>::infinity();  ///< [s]
  std::vector<double> frequencies = {};                    ///< [Hz]
};

/// How good a run was. Lists follow the order of CriteriaColumns; empty if there is
/// nothing to compare with.
struct Criteria {
  /// All numbers are finite, and nothing showed an instability. A limit that ended the run
  /// is none by itself (instability.h).
  bool stable = true;
  /// The last evaluated step of a run that was not completed.
  std::optional<std::int64_t> until_step{};
  std::array<std::vector<double>, 10>
      benchmark;                             ///< J1, J2, ...; J1 and J4 [ms], others [%]
  std::vector<double> delay;                 ///< by cross-correlation, between samples [s]
  std::vector<double> rmse;                  ///< rms(moved − target)/rms(target)
  std::vector<double> amplitude;             ///< by frequency
  std::vector<double> frequency_delay;       ///< by frequency [s]
  std::vector<double> equivalent_frequency;  ///< of the target [Hz]
  std::vector<double> nrmse;                 ///< rms(measured − target)/rms(target)
  std::vector<double> peak_error;            ///< max|measured − target|/max|target|
  std::vector<double> energy_error;    ///< ∮ (measured − target) df [J]; < 0: late
  std::vector<double> force_error;     ///< rms(force − reference)/rms(reference)
  std::vector<std::string> actuators;  ///< order of the entries of J1 to J4 and the above
  std::vector<std::string> interface;  ///< of J5, J6, J7, J9, force_error
  std::vector<std::string> responses;  ///< of J8, J10
  /// For the interface DOFs: motion of the model (or its target if the motion is not
  /// recorded), and the reading when it was due.
  std::vector<Synchronisation> synchronisation;
};

/// The criteria of the multi-axial benchmark of real-time hybrid simulation (Condori Uribe
/// et al. 2023, doi:10.3389/fbuil.2023.1270996), and the further criteria of any test:
///
///   J1, J4   1000·delay, by cross-correlation over all lags
///   J2, J3   100·std(ym − xa)/std(xa), 100·max|ym − xa|/max|xa|: per actuator
///   J5, J6   the same of the measured interface motion against the numerical one
///   J7, J9   the same of the measured interface motion against the reference's
///   J8, J10  the same of the numerical response against the reference's
///
/// The delay between samples is the vertex of the parabola through the peak of the
/// cross-correlation and its neighbours, of what moved. The force's error is that of the
/// interaction against the reference's: what an engineer asks of the test in the end, and
/// much harsher than the tracking errors.
///
/// @param period  between rows [s]
Criteria evaluate(const RunHistory& history, const CriteriaColumns& columns, double period,
                  const SynchronisationWindow& window = {});

}  // namespace trestle::evaluation
