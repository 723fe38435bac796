#include "studies/characterisation/sampled_plant.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/math/discretisation.h"
#include "core/math/transfer_function.h"

namespace trestle::characterisation {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// What is behind the delay, in continuous time.
math::StateSpace without_delay(const DelayedTransfer& transfer) {
  if (transfer.order() == 0)
    return {MatrixXd(0, 0), MatrixXd(0, 1), MatrixXd(1, 0),
            MatrixXd::Constant(1, 1, transfer.gain)};
  const auto powers = [&](const std::vector<double>& of, double gain) {
    std::vector<double> values{gain};
    double unit = gain;
    for (const double value : of)
      values.insert(values.begin(), value * (unit /= transfer.scale));
    return values;
  };
  return math::realise(
      {powers(transfer.numerator, transfer.gain), powers(transfer.denominator, 1.0)},
      "transfer");
}

/// A path between one drive and one reading.
struct Path {
  Index to, from;
  math::DiscreteStateSpace system;
};

}  // namespace

math::DiscreteStateSpace sampled_transfer(const DelayedTransfer& transfer, double tick) {
  const math::DiscreteStateSpace held = math::discretise(without_delay(transfer), tick);
  const double ticks = std::max(transfer.delay, 0.0) / tick;
  const auto whole = static_cast<Index>(std::floor(ticks));
  const double part = ticks - static_cast<double>(whole);
  // Stored drives u[k−1], u[k−2], ...: the one in force behind the delay in tick k − 1 is a
  // mean of u[k−1−whole] and the one before.
  const Index stored = whole + 2;
  const Index n = held.A.rows();
  MatrixXd behind = MatrixXd::Zero(1, stored);
  behind(0, whole) = 1.0 - part;
  behind(0, whole + 1) = part;
  math::DiscreteStateSpace system{
      MatrixXd::Zero(stored + n, stored + n), MatrixXd::Zero(stored + n, 1),
      MatrixXd::Zero(1, stored + n), MatrixXd::Zero(1, 1), tick};
  system.B(0, 0) = 1.0;
  system.A.block(1, 0, stored - 1, stored - 1).setIdentity();
  // The states of `held` at the beginning of tick k − 1; at its end they are the next ones.
  system.A.bottomLeftCorner(n, stored) = held.B * behind;
  system.A.bottomRightCorner(n, n) = held.A;
  system.C.leftCols(stored) = (held.C * held.B + held.D) * behind;
  system.C.rightCols(n) = held.C * held.A;
  return system;
}

math::DiscreteStateSpace sampled_plant(const CharacteriseReport& report, double tick) {
  std::vector<Path> paths;
  for (std::size_t i = 0; i < report.actuators.size(); ++i)
    paths.push_back({static_cast<Index>(i), static_cast<Index>(i),
                     sampled_transfer(report.actuators[i].transfer.transfer, tick)});
  for (const CouplingFinding& found : report.coupling)
    if (!found.transfer.nothing)
      paths.push_back(
          {found.to, found.from, sampled_transfer(found.transfer.transfer, tick)});
  const auto actuators = static_cast<Index>(report.actuators.size());
  Index states = 0;
  for (const Path& path : paths) states += path.system.A.rows();
  math::DiscreteStateSpace plant{
      MatrixXd::Zero(states, states), MatrixXd::Zero(states, actuators),
      MatrixXd::Zero(actuators, states), MatrixXd::Zero(actuators, actuators), tick};
  Index at = 0;
  for (const Path& path : paths) {
    const Index n = path.system.A.rows();
    plant.A.block(at, at, n, n) = path.system.A;
    plant.B.block(at, path.from, n, 1) = path.system.B;
    plant.C.block(path.to, at, 1, n) = path.system.C;
    at += n;
  }
  return plant;
}

}  // namespace trestle::characterisation
