#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "composition/numerical/model_factory.h"
#include "core/base/setting_error.h"
#include "numerical/structure/mechanism_check.h"
#include "numerical/structure/modal_summary.h"
#include "proto/config/test.pb.h"

namespace trestle::substructure::two_site_frame_test {
namespace {

/// The frame of docs and examples: both ground-floor columns are in laboratories.
config::Numerical two_site_frame() {
  config::Numerical numerical;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"(frame {
        nodes {name: "floor_w" y: 3} nodes {name: "floor_e" x: 6 y: 3}
        nodes {name: "roof_w" y: 6} nodes {name: "roof_e" x: 6 y: 6}
        supports {nodes: ["floor_w", "floor_e"] fixed: DOF_Y}
        sections {name: "column" E: 210e9 A: 78.1e-4 I: 5696e-8}
        sections {name: "beam" E: 210e9 A: 62.6e-4 I: 11770e-8}
        members {from: "floor_w" to: "roof_w" section: "column"}
        members {from: "floor_e" to: "roof_e" section: "column"}
        members {from: "floor_w" to: "floor_e" section: "beam"}
        members {from: "roof_w" to: "roof_e" section: "beam"}
        floors {nodes: ["floor_w", "floor_e"] mass: 12e3 rotational_inertia: 500}
        floors {nodes: ["roof_w", "roof_e"] mass: 10e3 rotational_inertia: 500}
        damping {rayleigh {ratio: 0.02 modes: [1, 2]}}
      })",
      &numerical));
  return numerical;
}

std::vector<structure::ExperimentalPart> columns() {
  constexpr double EI = 210e9 * 5696e-8;
  constexpr double L = 3.0;
  std::vector<structure::ExperimentalPart> parts(2);
  for (structure::ExperimentalPart& part : parts) {
    part.stiffness.resize(2, 2);
    part.stiffness << 12.0, 6.0 * L, 6.0 * L, 4.0 * L * L;
    part.stiffness *= EI / (L * L * L);
  }
  parts[0].site = "west";
  parts[0].dofs = {"floor_w.x", "floor_w.rz"};
  parts[1].site = "east";
  parts[1].dofs = {"floor_e.x", "floor_e.rz"};
  return parts;
}

TEST(TwoSiteFrame, HasThePeriodsAndTheDampingThatCheckPrints) {
  const structure::StructuralModel structure =
      composition::make_structure(two_site_frame(), columns(), "numerical");
  const structure::ModalSummary summary = structure::summarise_modes(structure, 3);
  EXPECT_EQ(summary.equations, 10);
  ASSERT_EQ(summary.periods.size(), 3U);
  EXPECT_NEAR(summary.periods[0], 0.44, 0.005);
  EXPECT_NEAR(summary.periods[1], 0.145, 0.0005);
  EXPECT_NEAR(summary.periods[2], 0.031, 0.0005);
  EXPECT_NEAR(summary.ratios[0], 0.020, 0.0005);
  EXPECT_NEAR(summary.ratios[1], 0.020, 0.0005);
  EXPECT_NEAR(summary.ratios[2], 0.071, 0.0005);
}

TEST(TwoSiteFrame, FloatsWhereNothingHoldsItUp) {
  config::Numerical numerical = two_site_frame();
  numerical.mutable_frame()->clear_supports();
  try {
    composition::make_structure(numerical, columns(), "numerical");
    FAIL();
  } catch (const SettingError& error) {
    ASSERT_EQ(error.problems().size(), 1U);
    EXPECT_EQ(error.problems()[0].path, "numerical.frame");
    EXPECT_EQ(error.problems()[0].what,
              "nothing holds y: floor_w, floor_e, roof_w and roof_e can move up and down "
              "together, even with the specimens attached (mechanism)");
  }
}

TEST(TwoSiteFrame, MisspeltInterfaceIsToldBeforeAnyMechanism) {
  std::vector<structure::ExperimentalPart> parts = columns();
  parts[1].dofs[0] = "flor_e.x";
  try {
    composition::make_structure(two_site_frame(), parts, "numerical");
    FAIL();
  } catch (const SettingError& error) {
    ASSERT_EQ(error.problems().size(), 1U);
    EXPECT_EQ(error.problems()[0].path, "sites[1].interface[0]");
    EXPECT_EQ(error.problems()[0].what,
              "the model has no DOF `flor_e.x`; did you mean `floor_e.x`?");
  }
}

}  // namespace
}  // namespace trestle::substructure::two_site_frame_test
