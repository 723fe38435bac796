#include "studies/pretest/bond_graph_loop.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/numerical/bond_graph/bond_graph_file.h"
#include "composition/numerical/bond_graph/stepping_factory.h"
#include "composition/rigs/bond_graph_specimen.h"
#include "composition/rigs/loaded_rig_factory.h"
#include "composition/sites/kinematics_factory.h"
#include "core/math/dense_eigenvalues.h"
#include "core/math/discretisation.h"
#include "proto/config/numerical.pb.h"
#include "proto/config/rig.pb.h"
#include "proto/config/site.pb.h"
#include "proto/config/test.pb.h"
#include "site-servers/controllers/pass_through.h"
#include "studies/pretest/loop_site_factory.h"

namespace trestle::pretest {
namespace {

using bond_graph::StepMatrices;
using bond_graph::SteppingSettings;
using Eigen::Index;
using Eigen::MatrixXd;

/// Returns the index of each port's DOF among all controlled DOFs, site by site.
std::vector<Index> places_of(const SteppingSettings& settings,
                             const std::vector<structure::ExperimentalPart>& sites) {
  std::vector<Index> first{0};
  for (const structure::ExperimentalPart& site : sites)
    first.push_back(first.back() + static_cast<Index>(site.dofs.size()));
  std::vector<Index> places;
  for (const bond_graph::PortLocation& port : settings.ports)
    places.push_back(first[port.site] + port.dof);
  return places;
}

/// Ports in the order of the sites.
LinearSubstructureModel linear_numerical(const StepMatrices& form,
                                         const std::vector<Index>& places) {
  LinearSubstructureModel result{.A = form.A,
                                 .B = MatrixXd(form.B.rows(), form.B.cols()),
                                 .C = MatrixXd(form.C.rows(), form.C.cols())};
  const auto n = static_cast<Index>(places.size());
  for (Index port = 0; port < n; ++port) {
    const Index place = places[static_cast<std::size_t>(port)];
    result.B.col(place) = form.B.col(port);
    for (Index quantity = 0; quantity < 3; ++quantity)
      result.C.row(quantity * n + place) = form.C.row(quantity * n + port);
  }
  return result;
}

LinearSubstructureModel stepped(const config::Test& test, const SteppingSettings& settings,
                                const std::vector<Index>& places) {
  bond_graph::BondGraphSubstructure substructure(
      bond_graph::read_substructuring(test.numerical().bond_graph().file()), settings);
  return linear_numerical(substructure.linearise(), places);
}

/// Outputs at the end of the tick: displacement, then the force in the place of what the
/// specimen feels, which so only passes it on; no rates.
LinearRigModel passing_force(const math::DiscreteStateSpace& moved) {
  const Index m = moved.B.cols();
  const Index n = moved.A.rows();
  LinearRigModel rig{
      {moved.A, moved.B, MatrixXd::Zero(4 * m, n), MatrixXd::Zero(4 * m, m), moved.period}};
  rig.system.C.topRows(2 * m) = moved.C * moved.A;
  rig.system.D.topRows(2 * m) = moved.C * moved.B + moved.D;
  return rig;
}

/// Displacements that go to their drives on straight lines within a tick: velocity is their
/// difference.
LinearRigModel ideal_rig(const math::StateSpace& moved_by_velocity, double tick) {
  const math::DiscreteStateSpace moved = math::discretise(moved_by_velocity, tick);
  const Index m = moved.B.cols();
  const Index n = moved.A.rows();
  // v = (drive - where it was)/tick; the displacements are the last m states.
  MatrixXd velocity = MatrixXd::Zero(m, n);
  velocity.rightCols(m) = -MatrixXd::Identity(m, m) / tick;
  const MatrixXd A = moved.A + moved.B * velocity;
  const MatrixXd B = moved.B / tick;
  LinearRigModel rig{{A, B, MatrixXd::Zero(4 * m, n), MatrixXd::Zero(4 * m, m), tick}};
  rig.system.C.topRows(2 * m) = moved.C * A + moved.D * velocity;
  rig.system.D.topRows(2 * m) = moved.C * B + moved.D / tick;
  return rig;
}

/// The sites that share one specimen, or one alone.
std::vector<int> group_of(const config::Test& test, int first) {
  std::vector<int> group{first};
  const config::Rig& rig = test.sites(first).rig();
  if (!rig.has_shared()) return group;
  for (int i = first + 1; i < test.sites_size(); ++i)
    if (test.sites(i).rig().shared().meeting() == rig.shared().meeting())
      group.push_back(i);
  return group;
}

bool leads_a_group(const config::Test& test, int index) {
  for (int i = 0; i < index; ++i) {
    const std::vector<int> group = group_of(test, i);
    if (std::find(group.begin(), group.end(), index) != group.end()) return false;
  }
  return true;
}

/// @pre the rig has transfer systems
void add_loaded_site(const config::Test& test, int index, TestClosedLoop& result) {
  const config::Site& message = test.sites(index);
  const std::string path = "sites[" + std::to_string(index) + "]";
  ClosedLoopSite site = timed_site(test, message, path);
  const std::vector<int> group = group_of(test, index);
  int actuators = 0;
  for (const int member : group) {
    if (member != index) site.name += ", " + test.sites(member).name();
    actuators += test.sites(member).interface_size();
    if (test.sites(member).has_controller() && group.size() > 1)
      result.unknown = "the sites " + site.name + " share a specimen and have controllers";
  }
  if (group.size() == 1) {
    add_frame(*composition::make_loading_frame(message.loading_frame(), actuators,
                                               path + ".loading_frame"),
              site);
    result.unknown = add_control(message, path, site);
  } else {
    site.to_actuators = site.to_interface = site.felt_force =
        MatrixXd::Identity(actuators, actuators);
    site.compensator.assign(static_cast<std::size_t>(actuators),
                            LinearCompensatorModel{.targets = {1.0}});
    site.controller = *controllers::PassThrough().linearise(actuators);
  }
  if (!result.unknown.empty()) return;
  simulated::CoupledActuators transfers = composition::make_loaded_transfers(
      message.rig(), actuators,
      composition::graph_side_of(message.rig(), path + ".rig").specimen, path + ".rig");
  site.rig = passing_force(math::discretise(transfers.linearise(), site.tick()));
  site.ideal = ideal_rig(transfers.specimen_form(), site.tick());
  const Eigen::Index n = actuators;
  MatrixXd pass = MatrixXd::Zero(n, 3 * n);
  pass.leftCols(actuators).setIdentity();
  site.specimen = {.system = {MatrixXd(0, 0), MatrixXd(0, 3 * n), MatrixXd(actuators, 0),
                              pass, site.tick()},
                   .stiffness = MatrixXd::Zero(actuators, actuators),
                   .exact = true};
  if (transfers.has_friction())
    result.approximate = "without the friction of the transfer systems of " + site.name;
  if (site.ticks > 1)
    result.approximate = "commands on cubics between two steps, which go on straight lines";
  for (const int member : group) {
    result.compensators.push_back(compensator_kind(test.sites(member).compensator()));
    if (member == index) result.secants.emplace_back();
  }
  result.loop.sites.push_back(std::move(site));
}

/// Rate [1/s] of the mode of the emulated structure, linear about zero, that grows fastest;
/// negative: it decays. Constants of integration are left out.
double growth_about_zero(bond_graph::RightHandSide& whole) {
  constexpr double kConstant = 1e-6;  // of the largest eigenvalue
  constexpr double kPush = 1e-7;      // as small as the laws of such models allow
  using Eigen::VectorXd;
  const Index n = whole.states();
  const VectorXd rest = VectorXd::Zero(whole.inputs());
  VectorXd output(whole.outputs());
  MatrixXd jacobian(n, n);
  whole.reset();
  for (Index i = 0; i < n; ++i) {
    VectorXd ahead(n);
    VectorXd behind(n);
    if (!whole.evaluate(kPush * VectorXd::Unit(n, i), rest, ahead, output) ||
        !whole.evaluate(-kPush * VectorXd::Unit(n, i), rest, behind, output))
      return -1.0;
    jacobian.col(i) = (ahead - behind) / (2.0 * kPush);
  }
  double fastest = -std::numeric_limits<double>::infinity();
  if (n == 0 || !jacobian.allFinite()) return fastest;
  const Eigen::VectorXcd values = math::eigenvalues(jacobian);
  const double size = values.cwiseAbs().maxCoeff();
  for (const std::complex<double>& value : values)
    if (std::abs(value) > kConstant * size) fastest = std::max(fastest, value.real());
  return fastest > kConstant * size ? fastest : -1.0;
}

}  // namespace

TestClosedLoop make_bond_graph_loop(const config::Test& test) {
  TestClosedLoop result;
  if (test.numerical().bond_graph().feedback() == config::FEEDBACK_MODEL) {
    result.unknown =
        "feedback: model closes no loop through the sites; whether the structure itself is "
        "stable its modes tell";
    return result;
  }
  const std::vector<structure::ExperimentalPart> sites =
      composition::numerical_parts(test).experimental;
  const bond_graph::Substructuring cut =
      bond_graph::read_substructuring(test.numerical().bond_graph().file());
  if (const double rate = growth_about_zero(*cut.whole.right_hand_side); rate > 0.0) {
    char growth[40];
    std::snprintf(growth, sizeof growth, "%.3g 1/s", rate);
    result.unknown =
        std::string("the structure itself is unstable about zero (it grows by ") + growth +
        "); nothing can be said of the loop";
    return result;
  }
  SteppingSettings settings = stepping_settings(test, cut, sites);
  settings.sources.clear();
  const std::vector<Index> places = places_of(settings, sites);
  result.loop.latency_steps = latency_of(test);
  result.loop.numerical = stepped(test, settings, places);
  for (int i = 0; i < test.sites_size() && result.unknown.empty(); ++i) {
    if (test.sites(i).rig().transfer_systems().empty())
      add_loop_site(test, i, result);
    else if (leads_a_group(test, i))
      add_loaded_site(test, i, result);
  }
  if (!settings.virtual_junction || !result.unknown.empty()) return result;
  // The sites' compensators see nothing of what is fed forward.
  for (ClosedLoopSite& site : result.loop.sites)
    site.compensator.assign(static_cast<std::size_t>(site.actuators()),
                            LinearCompensatorModel{.targets = {1.0}});
  result.compensators = {"virtual junction"};
  settings.virtual_junction = false;
  settings.lead = 1.0;
  settings.delay.assign(settings.delay.size(), 0.0);
  result.bare = stepped(test, settings, places);
  return result;
}

}  // namespace trestle::pretest
