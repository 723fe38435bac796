// Every code of the catalogue (specification, section 11), with the name of what is wrong.
#include <gtest/gtest.h>

#include "core/base/setting_error.h"
#include "numerical/bond_graph/analysis.h"
#include "numerical/bond_graph/graph_cut.h"
#include "numerical/bond_graph/linear_graph.h"
#include "numerical/bond_graph/transfer_inverse.h"
#include "tests/numerical/bond_graph/model_files.h"
#include "tests/numerical/bond_graph/sample_graphs.h"

namespace trestle::bond_graph {
namespace {

/// All of `words` stand in the text.
void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    EXPECT_NE(text.find(word), std::string::npos) << "no `" << word << "` in: " << text;
}

/// A mass on a spring, with a force; `more` stands among the components.
std::string oscillator(const std::string& components, const std::string& bonds,
                       const std::string& rest = "") {
  return "bond_graph: test\ncomponents:\n  F: Se\n  j: '1'\n  m: {type: I, m: 2 kg}\n"
         "  k: {type: C, k: 50}\n" +
         components + "bonds:\n  - [F, j]\n  - [j, m]\n  - [j, k]\n" + bonds + rest;
}

/// Wall, spring, mass 1, spring, mass 2 with its spring as hardware.
std::string pair_of_masses(const std::string& rest) {
  return "bond_graph: test\n"
         "templates:\n"
         "  Mass:\n"
         "    params: [m, k]\n"
         "    ports: {L: j0, R: j1}\n"
         "    components: {j0: '0', j1: '1', k: {type: C, k: k}, m: {type: I, m: m}}\n"
         "    bonds: [[j0, k], [j0, j1], [j1, m]]\n"
         "components:\n"
         "  r: Sf\n"
         "  one: {type: Mass, m: 1, k: 10}\n"
         "  two: {type: Mass, m: 1, k: 10}\n"
         "bonds: [[r, one.L], [one.R, two.L, port]]\n" +
         rest;
}

const char* const kTransfer = "transfer: {T: {m: 1, c: 2, k: 30}}\n";

TEST(BondGraphMistakes, SayWhereAFileIsNoYaml) {
  expect_words(mistakes_in("bond_graph: test\ncomponents: {\n"), {"3:1", "[E_PARSE]"});
  expect_words(mistakes_in("bond_graph: test\nbonds: [[a, b]]\n"),
               {"components is missing", "[E_PARSE]"});
}

TEST(BondGraphMistakes, SayWhichKeyIsUnknown) {
  expect_words(mistakes_in(oscillator("", "", "physicla: [m]\n")),
               {"11:1: unknown key `physicla`; did you mean `physical`?", "[E_UNKNOWN]"});
  expect_words(mistakes_in(oscillator("  d: {type: R, b: 1}\n", "  - [j, d]\n")),
               {"7:19", "`d` (R) has no setting `b`; known here: c, law", "[E_UNKNOWN]"});
}

TEST(BondGraphMistakes, SayWhichTypeIsUnknown) {
  expect_words(mistakes_in(oscillator("  d: {type: Rr, c: 1}\n", "  - [j, d]\n")),
               {"7:13", "`d` is of type `Rr`", "[E_TYPE]"});
}

TEST(BondGraphMistakes, SayWhichComponentIsUnknown) {
  expect_words(mistakes_in(oscillator("", "  - [j, dmaper]\n")),
               {"11:5", "`dmaper`", "[E_UNKNOWN]"});
  expect_words(mistakes_in(oscillator("", "", "outputs: [[f, mm]]\n")),
               {"11:11", "`mm`", "[E_UNKNOWN]"});
  expect_words(mistakes_in(pair_of_masses("physical: [tow]\n" + std::string(kTransfer))),
               {"`tow`; did you mean `two`?", "[E_UNKNOWN]"});
}

TEST(BondGraphMistakes, SayWhatIsThereTwice) {
  expect_words(mistakes_in(oscillator("  k: {type: C, k: 50}\n", "")),
               {"7:3", "already", "[E_DUPLICATE]"});
  expect_words(
      mistakes_in(oscillator("  a: {type: I, m: 1}\n", "  - [j, a, x]\n  - [F, j, x]\n")),
      {"two bonds `x`", "[E_DUPLICATE]"});
}

TEST(BondGraphMistakes, SayWhichNumberIsMissingZeroOrNone) {
  expect_words(mistakes_in(oscillator("  d: R\n", "  - [j, d]\n")),
               {"7:", "`d` (R) has no damping", "[E_PARAM]"});
  expect_words(
      mistakes_in(oscillator("  d: {type: R, c: 0}\n", "  - [j, d]\n")),
      {"7:19", "c of `d` is 0; must be a finite number other than zero", "[E_PARAM]"});
  expect_words(mistakes_in(oscillator("  d: {type: R, c: 3 kg}\n", "  - [j, d]\n")),
               {"7:19", "c of `d` is given in kg", "[E_PARAM]"});
  expect_words(mistakes_in(oscillator("  d: {type: R, c: damping}\n", "  - [j, d]\n")),
               {"c of `d` is `damping`, which is neither a number nor one of `params`",
                "[E_PARAM]"});
  std::string file = pair_of_masses("");
  file.replace(file.find("two: {type: Mass, m: 1, k: 10}"), 30, "two: {type: Mass, m: 1}");
  expect_words(mistakes_in(file),
               {"the parameter `k` is missing; k of `two/k` needs it", "[E_PARAM]"});
}

TEST(BondGraphMistakes, SayWhichLawCannotBe) {
  expect_words(mistakes_in(oscillator("  d: {type: R, law: {table: [[0, 0], [0, 1]]}}\n",
                                      "  - [j, d]\n")),
               {"7:16", "the law of `d` does not rise", "[E_LAW]"});
  expect_words(mistakes_in(oscillator("  d: {type: R, c: 1, law: {poly: [0, 1]}}\n",
                                      "  - [j, d]\n")),
               {"`d` has a law and a damping", "[E_LAW]"});
  expect_words(
      mistakes_in(oscillator("  s: {type: Se, law: {poly: [0, 1]}}\n", "  - [s, j]\n")),
      {"the law of `s` has no place", "[E_LAW]"});
  // A mass with a law that only follows another mass.
  expect_words(mistakes_in(oscillator("  n: {type: I, law: {poly: [0, 1, 0, 1]}}\n",
                                      "  - [j, n]\n")),
               {"`n` has a separate law but only follows", "[E_LAW]"});
}

TEST(BondGraphMistakes, SayWhichInitialStateCannotBe) {
  const auto told = [](const std::string& initial, const std::string& more = "",
                       const std::string& bond = "") {
    return mistakes_in(oscillator(more, bond, "initial: {" + initial + "}\n"));
  };
  EXPECT_EQ(told("k: {displacement: 1 mm}, m: {velocity: 2 mm/s}"), "");
  expect_words(told("n: {velocity: 1}"), {"there is no store `n`", "[E_UNKNOWN]"});
  expect_words(told("k: {velocity: 1}"),
               {"`k` has no initial velocity; only masses (I) have one", "[E_INITIAL]"});
  expect_words(told("m: {displacement: 1}"),
               {"`m` has no initial displacement; only springs (C) have one"});
  expect_words(told("F: {momentum: 1}"), {"`F` has no initial momentum"});
  expect_words(told("m: {momentum: 1, velocity: 1}"), {"`m` is given in 2 ways"});
  expect_words(told("k: {displacement: 1 kg}"), {"initial displacement of `k`"});
  expect_words(told("n: {velocity: 1}", "  n: {type: I, m: 2}\n", "  - [j, n]\n"),
               {"`n` only follows other masses or springs", "[E_INITIAL]"});
}

TEST(BondGraphMistakes, CountTheBonds) {
  expect_words(mistakes_in(oscillator("", "  - [F, m]\n")),
               {"`F` has 2 bonds", "[E_PORTS]"});
  expect_words(mistakes_in(oscillator("  w: '1'\n", "  - [j, w]\n")),
               {"`w` has 1 bond; a junction joins two at least", "[E_PORTS]"});
  expect_words(mistakes_in(oscillator("  t: {type: TF, n: 3}\n", "  - [j, t]\n")),
               {"`t` has 1 bond; a transformer or gyrator has exactly two", "[E_PORTS]"});
  std::string file = pair_of_masses("");
  file.replace(file.find("two.L"), 5, "two.X");
  expect_words(mistakes_in(file),
               {"`two` has no port `X`; it has `two.L` and `two.R`", "[E_PORTS]"});
}

TEST(BondGraphMistakes, RefuseABondOutOfASpring) {
  expect_words(mistakes_in(oscillator("  s: {type: C, k: 1}\n", "  - [s, j]\n")),
               {"12:5", "points out of `s`", "[E_DIRECTION]"});
}

TEST(BondGraphMistakes, SeeThatThereAreTwoStructures) {
  expect_words(
      mistakes_in(oscillator("  G: Se\n  n: {type: I, m: 1}\n", "  - [G, n]\n")),
      {"7:6", "`G` and what hangs on it are not connected to `F`", "[E_DISCONNECTED]"});
}

TEST(BondGraphMistakes, NameBothWhoPrescribeTheSame) {
  expect_words(
      mistakes_in(
          "bond_graph: test\ncomponents: {a: Sf, b: Sf, j: '1', m: {type: I, m: 1}}\n"
          "bonds: [[a, j], [b, j], [j, m]]\n"),
      {"`a` and `b` contradict each other at `j`", "spring", "[E_CAUSAL_CONFLICT]"});
  expect_words(
      mistakes_in(
          "bond_graph: test\ncomponents: {a: Se, b: Se, j: '0', k: {type: C, k: 1}}\n"
          "bonds: [[a, j], [b, j], [j, k]]\n"),
      {"`a` and `b` contradict each other at `j`", "mass", "[E_CAUSAL_CONFLICT]"});
  expect_words(mistakes_in("bond_graph: test\ncomponents: {a: Se, b: Se, j: '1'}\n"
                           "bonds: [[a, j], [b, j]]\n"),
               {"`a` and `b`", "exactly one component must give this junction its flow",
                "[E_CAUSAL_CONFLICT]"});
}

TEST(BondGraphMistakes, FindARingOfJunctions) {
  expect_words(
      mistakes_in(
          "bond_graph: test\n"
          "components: {a: '1', c: '0', b: '1', d: '0', k1: {type: C, k: 1}, k2: {type: C, "
          "k: 1}, m1: {type: I, m: 1}, m2: {type: I, m: 1}}\n"
          "bonds: [[a, c], [c, b], [a, d], [d, b], [a, k1], [b, k2], [c, m1], [d, m2]]\n"),
      {"`a`, `b`, `c` and `d`", "ring", "[E_JUNCTION_LOOP]"});
}

TEST(BondGraphMistakes, FindDampersThatCancel) {
  expect_words(
      mistakes_in("bond_graph: test\n"
                  "components: {u: Se, j: '1', R1: {type: R, c: 2}, n: '0', R2: {type: R, "
                  "c: -2}, i: '1', L: {type: I, m: 1}}\n"
                  "bonds: [[u, j], [j, R1], [j, n], [n, R2], [n, i], [i, L]]\n"),
      {"`R1` and `R2`", "[E_ALGEBRAIC_SINGULAR]"});
}

TEST(BondGraphMistakes, FindAVelocityPrescribedToAMass) {
  expect_words(
      mistakes_in("bond_graph: test\ncomponents: {r: Sf, j: '1', m: {type: I, m: 1}}\n"
                  "bonds: [[r, j], [j, m]]\n"),
      {"`r` prescribes the velocity of the mass `m` directly", "put a spring between",
       "[E_INPUT_DERIVATIVE]"});
}

TEST(BondGraphMistakes, RefuseAMassThatFollowsThroughADamper) {
  expect_words(
      mistakes_in(
          "bond_graph: test\ncomponents: {F: Se, j: '1', m: {type: I, m: 1}, d: {type: "
          "R, law: {of: effort, poly: [0, 1, 0, 1]}}}\n"
          "bonds: [[F, j], [j, m], [j, d]]\n"),
      {"`m` follows others through a damper", "[E_INDEX]"});
}

TEST(BondGraphMistakes, RefuseStoragesThatFollowFollowers) {
  const Graph graph = graph_of({{"F", "Se"}, {"j", "1"}, {"m", "I", 1}, {"n", "I", 1}},
                               {{"F", "j"}, {"j", "m"}, {"j", "n"}});
  Analysis analysis = analyse(graph, {});
  analysis.structure.d.d.setOnes();
  expect_words(complaint([&] { linearise_graph(graph, analysis.structure); }),
               {"`n` follows other masses", "[E_INDEX]"});
}

TEST(BondGraphMistakes, AskForACut) {
  expect_words(mistakes_in(pair_of_masses(kTransfer)),
               {"no component is marked as hardware", "[E_CUT_EMPTY]"});
  expect_words(
      mistakes_in(pair_of_masses("physical: [r, one, two]\n" + std::string(kTransfer))),
      {"13:1", "all components are marked", "[E_CUT_ALL]"});
  const Graph graph = raw_graph({{"F", "Se"}, {"m", "I", 1}, {"G", "Se"}, {"n", "I", 1}},
                                {{"F", "m"}, {"G", "n"}});
  expect_words(complaint([&] {
                 cut(graph, {true, true, false, false}, assign_causality(graph), "");
               }),
               {"no bond joins the hardware to the model", "[E_CUT_NONE]"});
}

TEST(BondGraphMistakes, NameTheBondWhereTheHardwareWouldSetTheVelocity) {
  expect_words(mistakes_in(pair_of_masses("physical: [two/m]\n" + std::string(kTransfer))),
               {"7:", "`two/j1 -> two/m`", "`two/m`",
                "the other side of the neighbouring spring", "[E_ASSUMPTION1]"});
}

TEST(BondGraphMistakes, NameTheStorageThatACutRobs) {
  const std::vector<Part> parts{{"F", "Se"}, {"j", "1"}, {"m", "I", 1}};
  const Graph whole = graph_of(parts, {{"F", "j"}, {"j", "m"}});
  const Graph part =
      graph_of({{"F", "Sf"}, {"j", "1"}, {"m", "I", 1}}, {{"F", "j"}, {"j", "m"}});
  expect_words(complaint([&] {
                 check_storages(whole, assign_causality(whole), part,
                                assign_causality(part));
               }),
               {"the cut takes the independent motion of `m`", "[E_CUT_CAUSALITY]"});
}

TEST(BondGraphMistakes, CountTheTransferSystems) {
  expect_words(mistakes_in(pair_of_masses("physical: [two]\n")),
               {"0 transfer systems for 1 port (`port`)", "[E_VJ_SIZE]"});
  expect_words(
      mistakes_in(pair_of_masses(
          "physical: [two]\ntransfer: {T: {state_space: {A: {rows: [[-1]]}, B: {rows: "
          "[[1, 1]]}, C: {rows: [[1]]}}}}\n")),
      {"one force and one velocity", "[E_VJ_SIZE]"});
}

TEST(BondGraphMistakes, FindATransferSystemThatMovesNothing) {
  expect_words(
      mistakes_in(pair_of_masses(
          "physical: [two]\ntransfer: {T: {components: {F: Se, j: '1', m: {type: I, m: 1}, "
          "k: {type: C, k: 1}, z: '0', w: Sf}, bonds: [[F, j], [j, m], [z, j], [z, k], "
          "[w, z]], velocity: w}}\n")),
      {"no command reaches the velocity of the transfer system `T`", "[E_VJ_NOPATH]"});
}

TEST(BondGraphMistakes, FindActuatorsThatCannotMoveThePortsIndependently) {
  math::StateSpace T;
  T.A = -Eigen::MatrixXd::Identity(2, 2);
  T.B = Eigen::MatrixXd::Ones(2, 2);
  T.C = Eigen::MatrixXd::Identity(2, 2);
  T.D = Eigen::MatrixXd::Zero(2, 2);
  expect_words(complaint([&] {
                 invert(T, {{"a", "b"}, {"F", "G"}, {"T", "U"}, {"", ""}, ""});
               }),
               {"`a` and `b`", "[E_VJ_SINGULAR]"});
}

TEST(BondGraphMistakes, ListTheDegreesOfATransferSystemThatIsTooSlow) {
  // A servo valve before the mass: 1/((0.01 s + 1)) s/(s² + 2 s + 30), degree 2.
  expect_words(
      mistakes_in(pair_of_masses(
          "physical: [two]\ntransfer: {T: {state_space: {A: {rows: [[-100, 0, 0], [1, -2, "
          "-30], [0, 1, 0]]}, B: {rows: [[100], [0], [0]]}, C: {rows: [[0, 1, 0]]}}}}\n")),
      {"at port `port` the input `port.force`", "degree 1", "`T`", "degree 2",
       "[E_VJ_IMPROPER]"});
}

TEST(BondGraphMistakes, SeeThatAWallPrescribesTheInterfaceItself) {
  // A plain shake table: the specimen's spring hangs on the wall, no way from force to v_N.
  expect_words(
      mistakes_in(
          "bond_graph: test\n"
          "components: {r: Sf, v: '1', z: '0', k: {type: C, k: 1}, w: '1', m: {type: "
          "I, m: 1}, c: {type: R, c: 1}}\n"
          "bonds: [[r, v], [v, z, port], [z, k], [z, w], [w, m], [w, c]]\n"
          "physical: [z, k, w, m, c]\n" +
          std::string(kTransfer)),
      {"the input `r` reaches the velocity at once", "degree 1", "[E_VJ_IMPROPER]"});
}

TEST(BondGraphMistakes, TellTheZeroInTheRightHalfPlane) {
  // (s − 1)/(s² + 3 s + 2)
  expect_words(
      mistakes_in(pair_of_masses(
          "physical: [two]\ntransfer: {T: {state_space: {A: {rows: [[0, 1], [-2, -3]]}, B: "
          "{rows: [[0], [1]]}, C: {rows: [[-1, 1]]}}}}\n")),
      {"a zero at 1 1/s", "[E_VJ_NONMINPHASE]"});
}

TEST(BondGraphMistakes, ReportALoopThatDoesNotConverge) {
  // e = 1 + f² never balances a force of −100.
  const Graph graph =
      graph_of({{"u", "Se"},
                {"j", "1"},
                {"R1", "R", 2},
                {"n", "0"},
                {"R2", "R", 0, polynomial({1, 0, 1})},
                {"i", "1"},
                {"L", "I", 0.5}},
               {{"u", "j"}, {"j", "R1"}, {"j", "n"}, {"n", "R2"}, {"n", "i"}, {"i", "L"}});
  const GraphSystem system = make_system(graph, analyse(graph, {}), {});
  Eigen::VectorXd rate(1);
  Eigen::VectorXd output(0);
  const Eigen::VectorXd x = Eigen::VectorXd::Zero(1);
  EXPECT_FALSE(system.right_hand_side->evaluate(x, Eigen::VectorXd::Constant(1, -100.0),
                                                rate, output));
  EXPECT_TRUE(system.right_hand_side->evaluate(x, Eigen::VectorXd::Constant(1, 100.0), rate,
                                               output));
}

}  // namespace
}  // namespace trestle::bond_graph
