#include "core/math/plant_model.h"

#include <cassert>
#include <cmath>
#include <sstream>

#include "core/base/setting_error.h"
#include "core/math/dense_solve.h"
#include "core/math/discretisation.h"
#include "core/math/riccati.h"
#include "core/math/stabilisability.h"

namespace trestle::math {
namespace {

using Eigen::MatrixXd;

constexpr int kMostDelayTicks = 64;

void require_above_zero(double value, const std::string& path) {
  if (value > 0.0 && std::isfinite(value)) return;
  std::ostringstream text;
  text << "is " << value << "; it must be a finite number above zero";
  throw SettingError(path, text.str());
}

void require_model(const StateSpace& model, const std::string& path) {
  assert(sizes_fit(model));
  if (model.states() == 0)
    throw SettingError(path, "has no states; there is nothing to observe in a plain gain");
  if (model.inputs() != model.outputs())
    throw SettingError(path, "has " + std::to_string(model.inputs()) + " drives and " +
                                 std::to_string(model.outputs()) +
                                 " displacements; give as many of the one as of the other");
  if (!model.D.isZero(0.0))
    throw SettingError(path,
                       "passes the drive on at once (D is not zero, or as many zeros as "
                       "poles); give the model a pole more");
  if (!model.A.allFinite() || !model.B.allFinite() || !model.C.allFinite())
    throw SettingError(path, "has a value that is not finite");
}

int delay_ticks(double delay, double tick, const std::string& path) {
  constexpr double kWhole = 1e-6;
  const double ticks = delay / tick;
  if (ticks >= 0.0 && ticks <= kMostDelayTicks &&
      std::abs(ticks - std::round(ticks)) <= kWhole)
    return static_cast<int>(std::lround(ticks));
  std::ostringstream text;
  text << "is " << delay << " s, " << ticks << " control ticks; give 0 to "
       << kMostDelayTicks << " whole ticks of " << tick << " s";
  throw SettingError(path, text.str());
}

/// Puts `ticks` stored drives, the newest first, before the drives.
void delay_drives(DiscreteStateSpace& system, int ticks) {
  const Eigen::Index n = system.A.rows();
  const Eigen::Index m = system.B.cols();
  const Eigen::Index stored = m * ticks;
  MatrixXd A = MatrixXd::Zero(n + stored, n + stored);
  MatrixXd B = MatrixXd::Zero(n + stored, m);
  MatrixXd C = MatrixXd::Zero(m, n + stored);
  A.topLeftCorner(n, n) = system.A;
  A.topRightCorner(n, m) = system.B;
  A.bottomRightCorner(stored, stored).diagonal(-m).setOnes();
  B.middleRows(n, m).setIdentity();
  C.leftCols(n) = system.C;
  system.A = std::move(A);
  system.B = std::move(B);
  system.C = std::move(C);
}

}  // namespace

PlantModel discretise_plant(const ObservedPlantSettings& settings, double tick,
                            const std::string& path) {
  assert(tick > 0.0);
  require_model(settings.model, path + ".model");
  require_above_zero(settings.process_noise, path + ".process_noise");
  require_above_zero(settings.sensor_noise, path + ".sensor_noise");
  const int ticks = delay_ticks(settings.delay, tick, path + ".delay");
  PlantModel plant{discretise(balanced(settings.model), tick), {}, {}};
  const MatrixXd entry = plant.system.B;
  if (ticks > 0) delay_drives(plant.system, ticks);
  plant.process_noise = MatrixXd::Zero(plant.states(), plant.states());
  plant.process_noise.topLeftCorner(entry.rows(), entry.rows()) =
      settings.process_noise / tick * entry * entry.transpose();
  plant.sensor_noise =
      settings.sensor_noise / tick * MatrixXd::Identity(plant.drives(), plant.drives());
  return plant;
}

Eigen::MatrixXd kalman_gain(const PlantModel& plant, const std::string& path) {
  const MatrixXd& A = plant.system.A;
  const MatrixXd& C = plant.system.C;
  if (uncontrollable_mode(A.transpose(), C.transpose(), TimeDomain::kDiscrete))
    throw SettingError(path,
                       "a motion of the model that does not decay reaches no transducer "
                       "(not detectable); leave it out of the model");
  const MatrixXd P =
      solve_discrete_riccati(
          {A.transpose(), C.transpose(), plant.process_noise, plant.sensor_noise}, path)
          .X;
  const MatrixXd seen = C * P;
  return solve_symmetric(seen * C.transpose() + plant.sensor_noise, seen).transpose();
}

}  // namespace trestle::math
