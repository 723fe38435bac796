#include <gtest/gtest.h>

#include "tests/numerical/bond_graph/runtime/two_ports.h"
#include "tests/support/heap_counter.h"

namespace trestle::bond_graph {
namespace {

TEST(BondGraphSubstructure, StepLeavesTheHeapAlone) {
  for (const bool model_feedback : {false, true})
    for (const double delay : {0.0, 3.3e-3}) {
      std::optional<IdentificationSettings> identification;
      if (delay == 0.0) identification = IdentificationSettings{.excitation = 1e-9};
      BondGraphSubstructure numerical(
          TwoPorts().model(), {.time_step = 1e-3,
                               .steps = 1000,
                               .ports = {{0, 0, "left.x"}, {0, 1, "right.x"}},
                               .sources = {{"r1", excitation::SourceQuantity::kDisplacement,
                                            [](double t) { return 1e-3 * t; }, 0.0}},
                               .virtual_junction = true,
                               .model_feedback = model_feedback,
                               .first_order_hold = !model_feedback,
                               .lead = 0.5,
                               .delay = {delay, delay},
                               .physical_outputs = !model_feedback,
                               .identification = identification});
      simulated::CoupledActuators rig(
          {{.mass = 2.2, .stiffness = 13618.0, .damping = 150.8},
           {.mass = 2.2, .stiffness = 25902.0, .damping = 200.8}},
          std::make_unique<MiddleMass>(), 4);
      rig.prepare(1e-3);
      std::vector<SiteTarget> requests(1);
      requests[0].target = InterfaceMotion::zero(2);
      std::vector<SiteResponse> answers(
          1, {.measured = InterfaceVector::Zero(2), .force = InterfaceVector::Zero(2)});
      std::vector<double> row(numerical.channels().size());
      Eigen::VectorXd drive(2);
      numerical.correct(-1, answers);
      const std::size_t before = testing::heap_allocations();
      for (std::int64_t k = 0; k < 100; ++k) {
        numerical.predict(k, requests);
        drive = requests[0].command_feedforward;
        rig.advance(drive);
        answers[0].measured = rig.displacement();
        answers[0].force = rig.force();
        numerical.correct(k, answers);
        numerical.record(row);
      }
      EXPECT_EQ(testing::heap_allocations(), before)
          << "model feedback " << model_feedback << ", delay " << delay;
    }
}

}  // namespace
}  // namespace trestle::bond_graph
