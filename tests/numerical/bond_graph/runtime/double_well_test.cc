#include <gtest/gtest.h>

#include <cmath>

#include "adapters/simulated/coupled_actuators.h"
#include "composition/numerical/bond_graph/graph_factory.h"
#include "core/yaml/source_map.h"
#include "numerical/bond_graph/runtime/bond_graph_substructure.h"

/// Figure 7 of Gawthrop, Wallace and Wagg (2005): the graph of examples/bond_graph, its
/// third mass on a double-well spring as the hardware.
namespace trestle::bond_graph::double_well_test {
namespace {

using Eigen::VectorXd;

/// Spring F = -d + d³, then 1 kg with 0.1 N·s/m to the ground.
class DoubleWell final : public simulated::SpecimenDynamics {
 public:
  Eigen::Index ports() const noexcept override { return 1; }
  Eigen::Index states() const noexcept override { return 2; }
  bool evaluate(const VectorXd& x, const VectorXd& /*displacement*/,
                const VectorXd& velocity, VectorXd& rate,
                VectorXd& force) noexcept override {
    force[0] = -x[0] + x[0] * x[0] * x[0];
    rate[0] = velocity[0] - x[1];
    rate[1] = force[0] - 0.1 * x[1];
    return true;
  }
  void commit(const VectorXd& /*x*/) noexcept override {}
  void reset() noexcept override {}
};

Substructuring three_masses() {
  yaml::SourceMap where;
  return substructure(read_graph_model(
      std::string(TRESTLE_SOURCE_DIR) + "/examples/bond_graph/three_masses.yaml", {},
      where));
}

struct Sampling {
  double step;
  bool first_order;
  double lead;
};

/// Largest difference of the transfer system's velocity from the wanted one over 10 s.
double farthest(const Sampling& sampling) {
  const double h = sampling.step;
  const auto steps = static_cast<std::int64_t>(std::llround(10.0 / h));
  BondGraphSubstructure numerical(
      three_masses(), {.time_step = h,
                       .steps = steps,
                       .ports = {{0, 0, "third.x"}},
                       .sources = {{"r", excitation::SourceQuantity::kVelocity,
                                    [](double t) { return -0.5 * std::sin(t); }, 0.0}},
                       .virtual_junction = true,
                       .model_feedback = false,
                       .first_order_hold = sampling.first_order,
                       .lead = sampling.lead,
                       .delay = {}});
  simulated::CoupledActuators rig({{.mass = 1.0, .stiffness = 1.0, .damping = 1.0}},
                                  std::make_unique<DoubleWell>(), 8);
  rig.prepare(h);
  std::vector<SiteTarget> requests(1);
  requests[0].target = InterfaceMotion::zero(1);
  std::vector<SiteResponse> answers(
      1, {.measured = InterfaceVector::Zero(1), .force = InterfaceVector::Zero(1)});
  std::vector<double> row(numerical.channels().size());
  numerical.correct(-1, answers);
  double most = 0.0;
  for (std::int64_t k = 0; k <= steps; ++k) {
    numerical.predict(k, requests);
    rig.advance(VectorXd(requests[0].command_feedforward));
    answers[0] = {rig.displacement(), rig.force()};
    EXPECT_TRUE(numerical.correct(k, answers));
    numerical.record(row);
    most = std::max(most, std::abs(rig.velocity()[0] - row[1]));
  }
  return most;
}

/// The prototype's numbers; 2 % for what is sampled between its steps.
TEST(DoubleWell, SampledCouplingIsOfFirstOrder) {
  const auto sampled = [](double step) {
    return farthest({step, false, 0.0});
  };
  const double of_20 = sampled(0.02), of_10 = sampled(0.01), of_5 = sampled(0.005);
  EXPECT_NEAR(sampled(0.04), 0.0601, 0.02 * 0.0601);
  EXPECT_NEAR(of_20, 0.0298, 0.02 * 0.0298);
  EXPECT_NEAR(of_10, 0.0148, 0.02 * 0.0148);
  EXPECT_NEAR(of_5, 0.00738, 0.02 * 0.00738);
  EXPECT_NEAR(of_20 / of_10, 2.0, 0.1);
  EXPECT_NEAR(of_10 / of_5, 2.0, 0.1);
}

TEST(DoubleWell, FirstOrderHoldWithLeadIsOfSecondOrder) {
  const auto held = [](double step) {
    return farthest({step, true, 0.5});
  };
  const double of_10 = held(0.01), of_5 = held(0.005);
  EXPECT_LT(of_10, 0.1 * 0.0148);
  EXPECT_NEAR(of_10 / of_5, 4.0, 0.8);
}

}  // namespace
}  // namespace trestle::bond_graph::double_well_test
