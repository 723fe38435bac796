#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "composition/rigs/simulated_factory.h"
#include "proto/config/rig.pb.h"
#include "site-servers/kinematics/coupler_frame.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "tests/support/heap_counter.h"

namespace trestle::simulated {
namespace {

std::size_t allocations_of_a_run(
    const std::string& text,
    std::unique_ptr<const LoadingFrame> frame = std::make_unique<kinematics::MatrixFrame>(
        Eigen::Matrix2d{{1.0, 0.4}, {1.0, -0.6}})) {
  config::Rig message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      text.find("noise") != std::string::npos
          ? text
          : text +
                "noise {displacement: 2e-6 force: 20} noise {displacement: 1e-6 force: 10}",
      &message))
      << text;
  const auto rig =
      composition::make_simulated_rig(message, "west", std::move(frame), "rig");
  rig->prepare({.tick = 1.0 / 1024.0, .seed = 7});
  Measurement sensed = Measurement::zero(2, rig->description().reactions);
  ActuatorVector drive = ActuatorVector::Zero(2);
  const std::size_t before = testing::heap_allocations();
  for (int n = 0; n < 300; ++n) {
    rig->read(TimePoint(Duration(n * 976562)), sensed);
    drive.setConstant(1e-3 * n);
    rig->write(drive);
  }
  return testing::heap_allocations() - before;
}

TEST(HeapCounter, SeesAnAllocation) {
  const std::size_t before = testing::heap_allocations();
  const Eigen::VectorXd on_the_heap = Eigen::VectorXd::Ones(100);
  EXPECT_GT(testing::heap_allocations(), before) << on_the_heap.size();
}

TEST(SimulatedRig, LeavesTheHeapAloneWithAColumnThatYields) {
  EXPECT_EQ(allocations_of_a_run(
                "actuators {second_order {frequency: 18 damping: 0.7}}"
                "actuators {delay {delay: 0.0123}}"
                "specimen {column {E: 210e9 A: 78.1e-4 I: 5696e-8 height: 3"
                "  hysteresis {bouc_wen {yield_moment: 180e3 hardening: 0.03}}}}"),
            0U);
}

TEST(SimulatedRig, LeavesTheHeapAloneWithIdentifiedActuators) {
  EXPECT_EQ(
      allocations_of_a_run(
          "actuators {identified {delay: 0.0123 dc_gain: 0.9 poles {re: -30}}}"
          "actuators {identified {dc_gain: 0.9 poles {re: -30} poles {re: -50}"
          "                       zeros {re: -90}}}"
          "specimen {linear {stiffness {values: [2, 1]} stiffness {values: [1, 2]}}}"),
      0U);
}

TEST(SimulatedRig, LeavesTheHeapAloneWithATransferMatrix) {
  EXPECT_EQ(allocations_of_a_run(
                "transfer_matrix {zpk {"
                "  entries {to: 1 from: 1 poles {re: -30 im: 40} poles {re: -30 im: -40} "
                "           gain: 2500}"
                "  entries {to: 2 from: 2 poles {re: -30} gain: 30}"
                "  entries {to: 2 from: 1 poles {re: -30} gain: 3}}}"
                "specimen {springs {laws {linear {stiffness: 5}}"
                "  laws {bouc_wen {stiffness: 5 yield_force: 1}}}}"),
            0U);
}

TEST(SimulatedRig, LeavesTheHeapAloneWithAKinematicSpecimenOnACoupler) {
  EXPECT_EQ(allocations_of_a_run(
                "force_from_measured: true noise {displacement: 1e-6 sequence {seed: 123}} "
                "noise {displacement: 1e-6 sequence {seed: 123}} specimen {kinematic {"
                "  stiffness {values: [4, 1, 1]} stiffness {values: [1, 3, 0]}"
                "  stiffness {values: [1, 0, 2]}}}",
                std::make_unique<kinematics::CouplerFrame>(
                    kinematics::CouplerSettings{.arm = 30.0, .angle = 0.44})),
            0U);
}

TEST(SimulatedRig, LeavesTheHeapAloneWithAFrame) {
  EXPECT_EQ(
      allocations_of_a_run(
          "actuators {second_order {frequency: 18 damping: 0.7}} actuators {ideal {}}"
          "specimen {frame {interface: ['c.x', 'c.rz'] frame {"
          "  nodes {name: 'a'} nodes {name: 'b' y: 2} nodes {name: 'c' y: 4}"
          "  supports {nodes: 'a' fixed: [DOF_X, DOF_Y, DOF_RZ]}"
          "  sections {name: 's' E: 210e9 A: 78e-4 I: 5700e-8 mass_per_length: 60}"
          "  members {from: 'a' to: 'b' section: 's'}"
          "  members {from: 'b' to: 'c' section: 's'}"
          "  springs {node: 'b' dof: DOF_X law {bouc_wen {stiffness: 1e6 yield_force: 1}}}"
          "  damping {rayleigh {ratio: [0.02, 0.02]}}}}}"),
      0U);
}

TEST(SimulatedRig, LeavesTheHeapAloneWithAFrameOfManyDofsWhoseHingesYield) {
  // Matrices above 128 KiB, for which Eigen's blocked products would take memory.
  const std::string hinge = "{rz {bilinear {stiffness: 1e8 yield_force: 1e4}}}";
  EXPECT_EQ(allocations_of_a_run(
                "actuators {ideal {}} actuators {ideal {}}"
                "specimen {frame {interface: ['c.x', 'c.rz'] frame {"
                "  nodes {name: 'a'} nodes {name: 'c' y: 4}"
                "  supports {nodes: 'a' fixed: [DOF_X, DOF_Y, DOF_RZ]}"
                "  sections {name: 's' E: 210e9 A: 78e-4 I: 5700e-8 mass_per_length: 60}"
                "  members {from: 'a' to: 'c' section: 's' parts: 45"
                "    plastic {from " +
                hinge + " to " + hinge + "}}}}}"),
            0U);
}

}  // namespace
}  // namespace trestle::simulated
