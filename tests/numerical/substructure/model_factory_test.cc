#include "composition/numerical/model_factory.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "core/base/setting_error.h"
#include "proto/config/test.pb.h"

namespace trestle::substructure::model_catalog_test {
namespace {

config::Numerical parsed(const std::string& text) {
  config::Numerical numerical;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &numerical)) << text;
  return numerical;
}

std::vector<std::string> problems_of(const std::string& text) {
  std::vector<std::string> lines;
  try {
    composition::make_structure(parsed(text), {}, "numerical");
  } catch (const SettingError& error) {
    for (const SettingIssue& problem : error.problems())
      lines.push_back(problem.path + ": " + problem.what);
  }
  return lines;
}

const std::string kBeam =
    "beam {length: 10 elements: 4 E: 2e11 I: 1e-5 mass_per_length: 50 ";

TEST(ModelCatalog, MakesABeamAndAPathOverIt) {
  const config::Numerical numerical =
      parsed(kBeam + R"(supports {nodes: ["n0", "n4"] fixed: DOF_Y}})");
  const structure::StructuralModel structure =
      composition::make_structure(numerical, {}, "numerical");
  EXPECT_EQ(structure.equations, 8);
  EXPECT_EQ(structure.equation("n2.x"), -1);
  EXPECT_EQ(composition::make_load_path(numerical, structure, {"n0", "n4"}, "p").size(),
            4U);
  try {
    composition::make_load_path(numerical, structure, {"n0", "m4"}, "moving_loads[0].path");
    FAIL();
  } catch (const SettingError& error) {
    EXPECT_EQ(error.problems()[0].path, "moving_loads[0].path[1]");
  }
}

TEST(ModelCatalog, MakesAShearBuilding) {
  const structure::StructuralModel structure =
      composition::make_structure(parsed(R"(shear_building {
                  storeys {name: "s1" mass: 1e4 stiffness: 2e6}
                  storeys {name: "s2" mass: 1e4
                           law {bilinear {stiffness: 2e6 yield_force: 1e4}}}
                  storeys {name: "s3" mass: 1e4 law {linear {stiffness: 3e6}}}
                  damping {modal {ratio: 0.05}}})"),
                                  {}, "numerical");
  EXPECT_EQ(structure.equation("s2.x"), 1);
  EXPECT_EQ(structure.springs.size(), 1U);
  EXPECT_EQ(structure.stiffness.coeff(2, 1), -3e6);
  EXPECT_EQ(structure.modal_damping.coefficient.size(), 1);
}

TEST(ModelCatalog, MistakesOfAShearBuildingAreAllTold) {
  const std::vector<std::string> expected{
      "numerical.shear_building.storeys[0].mass: mass is -1; must be at least 0",
      "numerical.shear_building.storeys[1]: storey `s1` is defined twice",
      "numerical.shear_building.storeys[1].law: no law given; write kind: linear, "
      "bilinear, bouc-wen, multi-linear, gap or hook"};
  EXPECT_EQ(problems_of(R"(shear_building {
              storeys {name: "s1" mass: -1 stiffness: 2e6}
              storeys {name: "s1" mass: 1 law {}}})"),
            expected);
}

TEST(ModelCatalog, StoreyWithoutColumnsNeedsALaboratory) {
  EXPECT_EQ(problems_of(R"(shear_building {storeys {name: "s1" mass: 1}
                                           storeys {name: "s2" mass: 1 stiffness: 2}})"),
            std::vector<std::string>{"numerical.shear_building: nothing holds x: s1 and s2 "
                                     "can move sideways together (mechanism)"});
}

TEST(ModelCatalog, DampingThatCannotBeNamesItsField) {
  EXPECT_EQ(problems_of(kBeam + R"(supports {nodes: ["n0", "n4"] fixed: DOF_Y}
                             damping {rayleigh {ratio: 0.02 modes: [1, 40]}}})"),
            std::vector<std::string>{
                "numerical.beam.damping.rayleigh.modes: mode 40 does not exist; "
                "the structure has 3"});
}

TEST(ModelCatalog, AModelMustBeGivenAndMove) {
  EXPECT_EQ(problems_of("").at(0),
            "numerical: no model given; describe a frame, shear_building, beam, matrices, "
            "bridge or "
            "bond_graph");
  EXPECT_EQ(problems_of(R"(frame {nodes {name: "a"}
                              supports {nodes: "a" fixed: [DOF_X, DOF_Y, DOF_RZ]}})")
                .at(0),
            "numerical.frame: every DOF is fixed; nothing is left to move");
}

}  // namespace
}  // namespace trestle::substructure::model_catalog_test
