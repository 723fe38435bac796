#include <gtest/gtest.h>

#include "composition/numerical/bridge/bridge_factory.h"
#include "tests/numerical/bridge/railway_bridge.h"
#include "tests/support/heap_counter.h"

namespace trestle::bridge {
namespace {

config::Test with_preview_and_train() {
  config::Test test = testing::railway_bridge(300.0);
  EXPECT_TRUE(google::protobuf::TextFormat::MergeFromString(R"(
    numerical { bridge {
      finite_elements { elements: 4 }
      track { german { lines: 50 } }
      preview { transfer { servo_hydraulic { } } } } })",
                                                            &test));
  config::BridgeVehicle& more = *test.mutable_numerical()->mutable_bridge()->add_vehicles();
  more.set_name("second");
  more.set_behind(12.0);
  *more.mutable_quarter_vehicle() = test.sites(0).rig().specimen().quarter_vehicle();
  more.mutable_quarter_vehicle()->set_wheel_inertia(true);
  return test;
}

TEST(BridgeSubstructure, StepLeavesTheHeapAlone) {
  for (const composition::BridgeSolution solution :
       {composition::BridgeSolution::kHybrid, composition::BridgeSolution::kUndivided}) {
    const auto bridge =
        composition::make_bridge(with_preview_and_train(), solution, {}, nullptr);
    const bool hybrid = solution == composition::BridgeSolution::kHybrid;
    std::vector<SiteTarget> requests(
        hybrid ? 1 : 0, {InterfaceMotion::zero(1), InterfaceMotion{}, InterfaceVector{}});
    std::vector<SiteResponse> answers(
        hybrid ? 1 : 0, {InterfaceVector::Zero(1), InterfaceVector::Constant(1, 50.0)});
    std::vector<double> row(bridge->channels().size());
    bridge->prepare();
    const std::size_t before = testing::heap_allocations();
    bridge->correct(-1, answers);
    for (std::int64_t k = 0; k < 1400; ++k) {
      bridge->predict(k, requests);
      ASSERT_TRUE(bridge->correct(k, answers));
      bridge->record(row);
    }
    EXPECT_EQ(testing::heap_allocations(), before) << hybrid;
    if (hybrid) {
      EXPECT_NE(requests[0].command_feedforward[0], 0.0);
    }
  }
}

}  // namespace
}  // namespace trestle::bridge
