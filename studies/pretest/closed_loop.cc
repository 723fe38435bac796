#include "studies/pretest/closed_loop.h"

#include <complex>
#include <limits>
#include <numbers>
#include <optional>

#include "core/math/dense_solve.h"
#include "studies/pretest/site_step_model.h"

namespace trestle::pretest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

std::vector<SiteStepModel> make_sites(const ClosedLoop& loop,
                                      const std::vector<double>& delays, Index probes) {
  std::vector<SiteStepModel> sites;
  std::size_t first = 0;
  for (const ClosedLoopSite& site : loop.sites) {
    std::vector<double> own;
    for (Index i = 0; i < site.actuators() && first < delays.size(); ++i)
      own.push_back(delays[first++]);
    sites.emplace_back(site, own, probes);
  }
  return sites;
}

/// Steps that an answer waits before it is used.
Index waiting(const ClosedLoop& loop) {
  return loop.latency_steps + (loop.numerical.uses_previous_step_force ? 1 : 0);
}

Index states_of(const ClosedLoop& loop, const std::vector<SiteStepModel>& sites) {
  Index states = loop.numerical.A.rows() + waiting(loop) * loop.numerical.B.cols();
  for (const SiteStepModel& site : sites) states += site.rows();
  return states;
}

/// Returns one site's target from the targets of all.
StateBasisMotion target_of(const MatrixXd& all, Index first, Index count) {
  const Index dofs = all.rows() / 3;
  return {all.middleRows(first, count), all.middleRows(dofs + first, count),
          all.middleRows(2 * dofs + first, count)};
}

/// From one command, the one of these equations, to the next.
MatrixXd command_matrix(const ClosedLoop& loop, const LinearSubstructureModel& numerical,
                        const std::vector<double>& delays) {
  const Index own = numerical.A.rows();
  const Index forces = numerical.B.cols();
  const Index under_way = waiting(loop) * forces;
  const Index size = states_of(loop, make_sites(loop, delays, 0));
  std::vector<SiteStepModel> sites = make_sites(loop, delays, size);
  const MatrixXd now = MatrixXd::Identity(size, size);
  MatrixXd next = MatrixXd::Zero(size, size);

  const auto state = now.topRows(own);
  const auto answers = now.middleRows(own, under_way);  // the newest first
  MatrixXd targets;
  if (numerical.uses_previous_step_force) {
    next.topRows(own) = numerical.A * state + numerical.B * answers.bottomRows(forces);
    targets = numerical.C * next.topRows(own);
  } else {
    targets = numerical.C * state;
  }
  MatrixXd answer(forces, size);
  Index first_dof = 0;
  Index first_force = 0;
  Index at = own + under_way;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const ClosedLoopSite& site = loop.sites[i];
    sites[i].take(now, at);
    answer.middleRows(first_force, site.forces()) =
        sites[i].step(target_of(targets, first_dof, site.controlled()));
    sites[i].give(next, at);
    at += sites[i].rows();
    first_dof += site.controlled();
    first_force += site.forces();
  }
  if (!numerical.uses_previous_step_force)
    next.topRows(own) =
        numerical.A * state +
        numerical.B * (under_way > 0 ? MatrixXd(answers.bottomRows(forces)) : answer);
  if (under_way > 0) {
    next.middleRows(own, forces) = answer;
    next.middleRows(own + forces, under_way - forces) = answers.topRows(under_way - forces);
  }
  return next;
}

}  // namespace

Index loop_states(const ClosedLoop& loop, const std::vector<double>& delays) {
  return states_of(loop, make_sites(loop, delays, 0));
}

MatrixXd step_matrix(const ClosedLoop& loop, const std::vector<double>& delays) {
  MatrixXd step = command_matrix(loop, loop.numerical, delays);
  for (const LinearSubstructureModel& numerical : loop.numerical.further)
    step = command_matrix(loop, numerical, delays) * step;
  return step;
}

namespace {

/// If the equations of rest are singular (specimens that know their ports by velocity keep
/// their displacements apart), uses a slow motion of 10 mHz.
std::vector<double> slow_delays_of_one_system(const ClosedLoopSite& site) {
  constexpr double kSlow = 2.0 * std::numbers::pi * 0.01;  // [rad/s]
  const Eigen::MatrixXcd response = math::frequency_response(
      site.rig.system, std::polar(1.0, kSlow * site.rig.system.period));
  std::vector<double> delays;
  for (Index i = 0; i < site.actuators(); ++i)
    delays.push_back(-std::arg(response(i, i)) / kSlow);
  return delays;
}

}  // namespace

std::vector<double> low_frequency_delays(const ClosedLoopSite& site) {
  if (site.ideal) return slow_delays_of_one_system(site);
  // y' = C z + D u, z' = A z + B u of controller and rig together; the delay in ticks is
  // −H'(1)/H(1), H'(z) = −C (z I − A)⁻² B.
  const Index m = site.actuators();
  const Index rows = SiteStepModel(site, {}, 0).rows();
  SiteStepModel tick(site, {}, rows + m);
  const MatrixXd now = MatrixXd::Identity(rows + m, rows + m);
  tick.take(now, 0);
  tick.move(now.bottomRows(m));
  MatrixXd next(rows, rows + m);
  tick.give(next, 0);
  // States that nothing moves or that influence nothing have no part in it.
  MatrixXd balance = MatrixXd::Identity(rows, rows) - next.leftCols(rows);
  for (Index i = 0; i < rows; ++i)
    if (balance.row(i).isZero(0.0) || balance.col(i).isZero(0.0)) balance(i, i) = 1.0;
  const double rounding =
      std::numeric_limits<double>::epsilon() * static_cast<double>(rows);
  std::vector<double> delays(static_cast<std::size_t>(m),
                             std::numeric_limits<double>::quiet_NaN());
  const std::optional<MatrixXd> once =
      math::solve_if_regular(balance, next.rightCols(m), rounding);
  if (!once) return delays;
  const std::optional<MatrixXd> twice = math::solve_if_regular(balance, *once, rounding);
  const MatrixXd& read = tick.measured();
  const MatrixXd gain = read.leftCols(rows) * *once + read.rightCols(m);
  const MatrixXd slope = read.leftCols(rows) * *twice;
  for (Index i = 0; i < m; ++i)
    if (gain(i, i) != 0.0)
      delays[static_cast<std::size_t>(i)] = slope(i, i) / gain(i, i) * site.tick();
  return delays;
}

double low_frequency_delay(const LinearCompensatorModel& form, double tick) {
  // For a quotient N(ω)/D(ω): −d arg N/dω + d arg D/dω at ω = 0.
  double gain = 0.0;
  double late = -form.velocity;
  for (std::size_t i = 0; i < form.targets.size(); ++i) {
    gain += form.targets[i];
    late += static_cast<double>(i) * tick * form.targets[i];
  }
  double rest = 1.0;
  double fed_back = 0.0;
  for (std::size_t i = 0; i < form.commands.size(); ++i) {
    rest -= form.commands[i];
    fed_back += static_cast<double>(i + 1) * tick * form.commands[i];
  }
  return late / gain + fed_back / rest;
}

}  // namespace trestle::pretest
