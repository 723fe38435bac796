#include "composition/numerical/mechanics_factory.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "composition/numerical/damping_factory.h"
#include "composition/numerical/frame_factory.h"
#include "core/base/setting_error.h"
#include "numerical/structure/frame_assembly.h"
#include "numerical/structure/modes.h"
#include "proto/config/numerical.pb.h"

namespace trestle::structure {
namespace {

template <typename Message>
Message parsed(const std::string& text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

template <typename Call>
std::vector<std::string> problems_of(Call call) {
  std::vector<std::string> lines;
  try {
    call();
  } catch (const SettingError& error) {
    for (const SettingIssue& problem : error.problems())
      lines.push_back(problem.path + ": " + problem.what);
  }
  return lines;
}

std::vector<std::string> frame_problems(const std::string& text) {
  return problems_of(
      [&] { composition::frame_model(parsed<config::Frame>(text), "numerical.frame"); });
}

constexpr const char* kBase = R"(
  nodes {name: "foot"} nodes {name: "top" y: 3}
  supports {nodes: "foot" fixed: [DOF_X, DOF_Y, DOF_RZ]}
  sections {name: "column" E: 210e9 A: 78e-4 I: 5.7e-5}
  members {from: "foot" to: "top" section: "column"}
)";

TEST(MechanicsCatalog, MakesEachLaw) {
  const auto law = [](const std::string& text) {
    return composition::make_restoring_force(parsed<config::RestoringForceLaw>(text),
                                             "law");
  };
  EXPECT_EQ(law("linear {stiffness: 5}")->advance(2.0), 10.0);
  EXPECT_EQ(law("bilinear {stiffness: 5 yield_force: 1}")->advance(2.0), 1.0);
  EXPECT_NEAR(law("bouc_wen {stiffness: 5 yield_force: 1}")->advance(0.1), std::tanh(0.5),
              1e-8);
}

TEST(MechanicsCatalog, LawOutOfRangeNamesItsField) {
  const auto problems = problems_of([] {
    composition::make_restoring_force(
        parsed<config::RestoringForceLaw>("bilinear {stiffness: 5 yield_force: -1}"),
        "springs[3].law");
  });
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0], "springs[3].law.yield_force: yield_force is -1; must be positive");
}

TEST(MechanicsCatalog, ReadsAFrame) {
  const FrameModel model = composition::frame_model(
      parsed<config::Frame>(std::string(kBase) +
                            R"(springs {node: "top" dof: DOF_RZ law {linear {stiffness: 8}}}
                               floors {nodes: "top" mass: 100 rigid: true}
                               mass_matrix: CONSISTENT)"),
      "numerical.frame");
  ASSERT_EQ(model.nodes.size(), 2U);
  EXPECT_TRUE(model.nodes[0].fixed[2]);
  EXPECT_EQ(model.mass_matrix, MassMatrixKind::kConsistent);
  ASSERT_EQ(model.springs.size(), 1U);
  EXPECT_EQ(model.springs[0].stiffness, 8.0);
  EXPECT_EQ(model.springs[0].law, nullptr);
  EXPECT_EQ(model.springs[0].dof, NodeDof::kRz);
  EXPECT_TRUE(model.floors[0].rigid);
}

TEST(MechanicsCatalog, TellsAllMistakesOfAFrame) {
  const auto problems = frame_problems(std::string(kBase) + R"(
    nodes {name: "top" x: 4}
    nodes {name: "twin" y: 3}
    members {from: "foot" to: "topp" section: "colum"}
    members {from: "top" to: "twin" section: "column"}
    members {from: "top" to: "top" section: "column"}
    floors {nodes: ["twin", "twin"] mass: -5}
  )");
  const std::vector<std::string> expected{
      "numerical.frame.nodes[2]: node `top` is defined twice",
      "numerical.frame.members[1].to: unknown node `topp`; did you mean `top`?",
      "numerical.frame.members[1].section: unknown section `colum`; did you mean `column`?",
      "numerical.frame.members[2]: the member from `top` to `twin` has no length: both "
      "nodes "
      "are at (0, 3)",
      "numerical.frame.members[3]: a member from `top` to itself; it needs two different "
      "nodes",
      "numerical.frame.floors[0].mass: mass is -5; must be at least 0",
      "numerical.frame.floors[0].nodes[1]: node `twin` stands twice in this list"};
  EXPECT_EQ(problems, expected);
}

TEST(MechanicsCatalog, BeamTakesItsSupportsByName) {
  const std::string beam = "length: 10 elements: 4 E: 2e11 I: 1e-5 mass_per_length: 50 ";
  const FrameModel model = composition::beam_model(
      parsed<config::Beam>(beam + R"(supports {nodes: ["n0", "n4"] fixed: DOF_Y})"),
      "beam");
  EXPECT_TRUE(model.nodes[4].fixed[1]);
  EXPECT_FALSE(model.nodes[4].fixed[2]);
  const auto problems = problems_of([&] {
    composition::beam_model(
        parsed<config::Beam>(beam + R"(supports {nodes: "n5" fixed: DOF_Y})"), "beam");
  });
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].find("beam.supports[0].nodes[0]: unknown node `n5`"), 0U);
}

TEST(MechanicsCatalog, ReadsDamping) {
  const auto model = [](const std::string& text) {
    return composition::damping_model(parsed<config::Damping>(text), "d");
  };
  const auto at = std::get<RayleighAtModes>(model("rayleigh {ratio: 0.02}"));
  EXPECT_EQ(at.ratios[1], 0.02);
  EXPECT_EQ(at.modes[1], 2);
  EXPECT_EQ(std::get<RayleighFactors>(model("rayleigh {mass_factor: 3}")).mass, 3.0);
  EXPECT_EQ(std::get<ModalRatios>(model("modal {ratio: 0.02 modes: 5}")).modes, 5);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(model("")));
}

TEST(MechanicsCatalog, ContradictingDampingNamesItsField) {
  const auto problem = [](const std::string& text) {
    const auto problems = problems_of(
        [&] { composition::damping_model(parsed<config::Damping>(text), "d"); });
    return problems.empty() ? std::string() : problems[0];
  };
  EXPECT_EQ(problem("rayleigh {ratio: 0.02 modes: [2, 2]}"),
            "d.rayleigh.modes: both are mode 2; name two different modes");
  EXPECT_EQ(problem("rayleigh {ratio: 0.02 mass_factor: 1}"),
            "d.rayleigh.ratio: both ratio and factors are given; give one of them");
  EXPECT_EQ(
      problem("rayleigh {}"),
      "d.rayleigh.ratio: Rayleigh damping needs one ratio or two, or factors; it has 0 "
      "ratios");
}

constexpr const char* kDoublyHinged = R"(
  nodes {name: "a"} nodes {name: "b" x: 6}
  supports {nodes: ["a", "b"] fixed: [DOF_X, DOF_Y]}
  sections {name: "steel" E: 210e9 A: 1e-2 I: 16270e-8 mass_per_length: 3057.1}
  mass_matrix: CONSISTENT
  members {from: "a" to: "b" section: "steel" hinges: [END_FROM, END_TO] parts: )";

// Of an independent program; the continuum has 4.61281436572, 18.4512574629 Hz. The
// frame "H" that is quoted beside these (26 equations, 0.684905 Hz) has no test: its
// geometry and masses were never written down, and no frame that was guessed would prove
// anything.
TEST(FrameCatalog, PartsOfAMemberGiveItMoreBendingModes) {
  const std::vector<std::pair<int, std::vector<double>>> cases{
      {1, {5.11984549534, 23.4620795289}},
      {2, {4.63102066852, 20.4793819814, 51.4766104969}},
      {4, {4.61401213946, 18.5240826741, 42.2739191462}}};
  for (const auto& [parts, hertz] : cases) {
    FrameModel model = composition::frame_model(
        parsed<config::Frame>(kDoublyHinged + std::to_string(parts) + "}"), "frame");
    // Bending alone: nothing of the axial modes comes between.
    for (FrameNode& node : model.nodes) node.fixed[0] = true;
    const StructuralModel structure = assemble(std::move(model));
    EXPECT_EQ(structure.equations, 2 + 2 * (parts - 1));
    const Modes modes = lowest_modes(structure, static_cast<int>(hertz.size()));
    for (std::size_t i = 0; i < hertz.size(); ++i)
      EXPECT_NEAR(modes.frequencies[static_cast<Eigen::Index>(i)] / (2.0 * M_PI), hertz[i],
                  1e-9 * hertz[i])
          << parts << " " << i;
    EXPECT_GE(structure.equation("a-b.from.rz"), 0);
    EXPECT_EQ(structure.equation("a-b.1.y") >= 0, parts > 1);
  }
}

// A pinned beam: (nπ)² √(EI / m L⁴) / 2π. Cubic parts approach it with the fourth power of
// their length; an end whose rotation only followed would be as far off again.
TEST(FrameCatalog, PartsOfAMemberApproachTheContinuum) {
  for (const auto& [parts, rounding] : {std::pair{8, 1e-7}, {32, 1e-8}}) {
    FrameModel model = composition::frame_model(
        parsed<config::Frame>(kDoublyHinged + std::to_string(parts) + "}"), "frame");
    for (FrameNode& node : model.nodes) node.fixed[0] = true;
    const Modes modes = lowest_modes(assemble(std::move(model)), 2);
    for (const auto& [mode, hertz] : {std::pair{0, 4.61281436572}, {1, 18.4512574629}}) {
      const double order = M_PI * (mode + 1) / 6.0;
      EXPECT_NEAR(order * order * std::sqrt(210e9 * 16270e-8 / 3057.1) / (2.0 * M_PI),
                  hertz, 1e-10 * hertz);
      const double turn = order * 6.0 / parts;
      const double nearly =
          hertz * (1.0 + std::pow(turn, 4) / 1440.0 - std::pow(turn, 6) / 50400.0);
      EXPECT_NEAR(modes.frequencies[mode] / (2.0 * M_PI), nearly, rounding * hertz)
          << parts << " parts, mode " << mode;
    }
  }
}

TEST(FrameCatalog, AsksForNamesWhereTwoMembersWouldHaveOne) {
  const std::string twice = std::string(kDoublyHinged) +
                            "1} members {from: \"a\" to: \"b\" section: \"steel\" "
                            "hinges: END_TO}";
  EXPECT_EQ(frame_problems(twice),
            std::vector<std::string>{"numerical.frame.members[1]: two members are called "
                                     "`a-b`; give them names"});
}

TEST(DampingCatalog, RefusesWhatBelongsToRatios) {
  const auto of = [](const std::string& rayleigh) {
    return problems_of([&] {
      composition::damping_model(parsed<config::Damping>("rayleigh {" + rayleigh + "}"),
                                 "damping");
    });
  };
  EXPECT_EQ(of("mass_factor: 0.1 modes: [1, 2]"),
            std::vector<std::string>{"damping.rayleigh.modes: belong to ratios; with "
                                     "factors leave them out"});
  EXPECT_EQ(of("mass_factor: 0.1 frequencies: [1, 2]"),
            std::vector<std::string>{"damping.rayleigh.frequencies: belong to ratios; with "
                                     "factors leave them out"});
}

}  // namespace
}  // namespace trestle::structure
