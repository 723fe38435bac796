#include "numerical/substructure/twin_updating.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/base/setting_error.h"
#include "numerical/materials/bilinear_law.h"
#include "numerical/materials/bouc_wen_law.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure {
namespace {

using testing::read_test;

const std::string kBuilding = R"(test: twins
time_step: 2 ms
seed: 3
duration: 6 s
excitation: {record: synthetic, scale: 0.6, synthetic: {duration: 12 s, ground_frequency: 2 Hz}}
numerical:
  shear_building:
    storeys:
      ground: {mass: 20 t}
      middle: {mass: 20 t, law: {kind: bouc-wen, stiffness: 30 kN/mm, yield_force: 150 kN, hardening: 5 %}}
      top: {mass: 15 t, law: {kind: bouc-wen, stiffness: 20 kN/mm, yield_force: 100 kN, hardening: 5 %}}
    damping: {rayleigh: {ratio: 3 %, modes: [1, 3]}}
  integrator: {kind: kr-alpha, rho_infinity: 0.9}
sites: {lab: {interface: [ground.x]}}
)";

std::string updating(const std::string& more) {
  return "updating:\n  damper:\n    site: lab\n    twins: [middle, top]\n"
         "    law: {stiffness: 30 kN/mm, yield_force: 150 kN, hardening: 5 %}\n"
         "    force_noise: 300 N\n" +
         more;
}

composition::NumericalParts parts_with_twin() {
  composition::NumericalParts parts;
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(1, 1);
  parts.experimental.push_back(
      {"lab", {"ground.x"}, Eigen::MatrixXd::Constant(1, 1, 30e6), none, none});
  return parts;
}

/// A test with a specimen that is what `updating` shall find.
class Bench {
 public:
  explicit Bench(const std::string& text, bool bilinear = false)
      : numerical(
            composition::make_numerical(read_test(text), parts_with_twin(), nullptr)) {
    if (bilinear)
      specimen = std::make_unique<materials::BilinearLaw>(materials::BilinearLawSettings{
          .stiffness = 26e6, .yield_force = 170e3, .hardening = 0.04});
    else
      specimen = std::make_unique<materials::BoucWenLaw>(materials::BoucWenLawSettings{
          .stiffness = 26e6, .yield_force = 170e3, .hardening = 0.04});
    numerical->prepare();
    request[0].target = InterfaceMotion::zero(1);
    answer[0] = {InterfaceVector::Zero(1), InterfaceVector::Zero(1)};
    numerical->correct(-1, answer);
  }
  void step(std::int64_t k) {
    numerical->predict(k, request);
    const double d = request[0].target.displacement[0];
    answer[0].measured[0] = d;
    answer[0].force[0] = specimen->advance(d);
    ASSERT_TRUE(numerical->correct(k, answer));
  }
  void steps(std::int64_t from, std::int64_t to) {
    for (std::int64_t k = from; k < to; ++k) step(k);
  }
  std::vector<double> row() const {
    std::vector<double> values(numerical->channels().size());
    numerical->record(values);
    return values;
  }
  double value(const std::string& name) const {
    const Channels& channels = numerical->channels();
    for (std::size_t i = 0; i < channels.size(); ++i)
      if (channels[i].name == name) return row()[i];
    ADD_FAILURE() << name;
    return 0.0;
  }

  std::unique_ptr<NumericalSubstructure> numerical;
  std::unique_ptr<materials::RestoringForce> specimen;
  std::vector<SiteTarget> request = std::vector<SiteTarget>(1);
  std::vector<SiteResponse> answer = std::vector<SiteResponse>(1);
};

TEST(TwinUpdating, FindsTheSpecimenWhileTheTestRuns) {
  Bench bench(kBuilding + updating(""));
  bench.steps(0, 3000);
  EXPECT_NEAR(bench.value("damper.stiffness"), 26.0 / 30.0, 0.01);
  EXPECT_NEAR(bench.value("damper.yield_force"), 170.0 / 150.0, 0.01);
  // Of hardening less is seen, which its deviation says.
  const double sd = bench.value("damper.hardening_sd");
  EXPECT_LT(sd, 0.18);
  EXPECT_NEAR(bench.value("damper.hardening"), 0.8, 3.0 * sd + 0.01);
  for (const char* name : {"damper.stiffness_sd", "damper.yield_force_sd"}) {
    EXPECT_GT(bench.value(name), 0.0);
    EXPECT_LT(bench.value(name), 0.05);
  }
  EXPECT_NEAR(bench.value("damper.innovation_N"), 0.0, 1e3);
  // A higher yield force with less hardening behind it looks much the same.
  EXPECT_LT(bench.value("damper.corr_yield_hardening"), -0.1);
  for (const char* name : {"damper.corr_stiffness_yield", "damper.corr_stiffness_hardening",
                           "damper.corr_yield_hardening"})
    EXPECT_LE(std::abs(bench.value(name)), 1.0) << name;
}

std::string of_bilinear(std::string text) {
  for (std::size_t at = text.find("bouc-wen"); at != std::string::npos;
       at = text.find("bouc-wen"))
    text.replace(at, 8, "bilinear");
  return text.replace(text.rfind("    law: {"), 10, "    bilinear: {");
}

TEST(TwinUpdating, FindsABilinearSpecimenAndGoesOnFromASnapshotToTheBit) {
  const std::string text = of_bilinear(kBuilding + updating(""));
  Bench bench(text, true);
  bench.steps(0, 2900);
  SnapshotWriter writer;
  bench.numerical->snapshot(writer);
  bench.specimen->save(writer);
  Bench other(text, true);
  SnapshotReader reader(writer.values());
  other.numerical->restore(reader);
  other.specimen->restore(reader);
  EXPECT_TRUE(reader.at_end());
  bench.steps(2900, 3000);
  other.steps(2900, 3000);
  EXPECT_EQ(bench.row(), other.row());
  EXPECT_NEAR(bench.value("damper.stiffness"), 26.0 / 30.0, 0.01);
  EXPECT_NEAR(bench.value("damper.yield_force"), 170.0 / 150.0, 0.01);
  EXPECT_NEAR(bench.value("damper.hardening"), 0.8,
              3.0 * bench.value("damper.hardening_sd") + 0.01);
}

/// Both upper storeys move as if their laws had always had the numbers that were found:
/// here those that the filter was given, and must not leave.
TEST(TwinUpdating, ChangesNothingWhereAllIsKnownOrBeforeItsTime) {
  Bench without(kBuilding);
  Bench known(kBuilding +
              updating("    spread: {stiffness: 0, yield_force: 0, hardening: 0}\n"));
  Bench later(kBuilding + updating("    from: 2 s\n"));
  const std::size_t shared = without.numerical->channels().size();
  for (std::int64_t k = 0; k < 1000; ++k) {
    without.step(k);
    known.step(k);
    later.step(k);
    const std::vector<double> expected = without.row();
    for (std::size_t i = 0; i < shared; ++i) {
      ASSERT_EQ(known.row()[i], expected[i]) << k;
      ASSERT_EQ(later.row()[i], expected[i]) << k;
    }
  }
  // At 2 s, step 1000, they take what was found, and feel it in the step behind it.
  without.steps(1000, 1050);
  later.steps(1000, 1050);
  EXPECT_NE(later.value("top.x.disp_m"), without.value("top.x.disp_m"));
}

/// A twin of another size takes the same factor on its own numbers.
TEST(TwinUpdating, GivesTheFactorsToItsTwins) {
  std::vector<structure::NonlinearSpring> springs;
  for (const double size : {1.0, 0.5})
    springs.push_back(
        {.elongation = {},
         .law = std::make_unique<materials::TwinLaw>(
             std::make_unique<materials::BoucWenLaw>(materials::BoucWenLawSettings{
                 .stiffness = 2e6 * size, .yield_force = 30e3 * size, .hardening = 0.1}),
             2.0)});
  TwinSettings settings{
      .name = "damper",
      .from_step = 20,
      .specimen = {.law = {.stiffness = 2e6, .yield_force = 30e3, .hardening = 0.1},
                   .time_step = 0.01,
                   .force_noise = 100.0},
      .springs = {0, 1}};
  TwinUpdating twins({settings}, springs);
  materials::BoucWenLaw specimen(
      {.stiffness = 1.5e6, .yield_force = 40e3, .hardening = 0.12});
  std::vector<SiteResponse> answer{{InterfaceVector::Zero(1), InterfaceVector::Zero(1)}};
  std::vector<double> row(twins.channels().size());
  ASSERT_EQ(row.size(), 10U);
  for (std::int64_t k = 0; k < 60; ++k) {
    answer[0].measured[0] = 0.05 * std::sin(0.1 * static_cast<double>(k));
    answer[0].force[0] = specimen.advance(answer[0].measured[0]);
    twins.observe(k, answer);
    twins.write(row);
    for (const structure::NonlinearSpring& spring : springs) {
      const auto& law = dynamic_cast<const materials::TwinLaw&>(*spring.law);
      EXPECT_EQ(law.factors().stiffness, k < 20 ? 1.0 : row[0]) << k;
      EXPECT_EQ(law.factors().yield_force, k < 20 ? 1.0 : row[2]) << k;
      EXPECT_EQ(law.factors().hardening, k < 20 ? 1.0 : row[4]) << k;
    }
  }
  EXPECT_NEAR(row[0], 0.75, 0.02);
  EXPECT_EQ(twins.channels()[6].name, "damper.innovation_N");
}

TEST(TwinUpdating, GoesOnFromASnapshotToTheBit) {
  Bench one(kBuilding + updating(""));
  one.steps(0, 700);
  SnapshotWriter writer;
  one.numerical->snapshot(writer);
  one.specimen->save(writer);
  Bench other(kBuilding + updating(""));
  other.steps(0, 5);
  SnapshotReader reader(writer.values());
  other.numerical->restore(reader);
  other.specimen->restore(reader);
  EXPECT_TRUE(reader.at_end());
  for (std::int64_t k = 700; k < 900; ++k) {
    one.step(k);
    other.step(k);
    ASSERT_EQ(one.row(), other.row()) << k;
  }
  one.numerical->prepare();
  one.specimen->reset();
  Bench fresh(kBuilding + updating(""));
  one.answer[0] = {InterfaceVector::Zero(1), InterfaceVector::Zero(1)};
  one.numerical->correct(-1, one.answer);
  one.steps(0, 50);
  fresh.steps(0, 50);
  EXPECT_EQ(one.row(), fresh.row());
}

std::vector<std::string> refused(const std::string& text) {
  try {
    composition::make_numerical(read_test(text), parts_with_twin(), nullptr);
  } catch (const SettingError& error) {
    std::vector<std::string> paths;
    for (const SettingIssue& problem : error.problems()) paths.push_back(problem.path);
    return paths;
  }
  return {};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(TwinUpdating, SaysWhatDoesNotFitTogether) {
  using Paths = std::vector<std::string>;
  const std::string whole = kBuilding + updating("");
  EXPECT_EQ(refused(whole), Paths{});
  const auto changed = [&](const std::string& from, const std::string& to) {
    return refused(replaced(whole, from, to));
  };
  EXPECT_EQ(changed("site: lab", "site: lib"), Paths{"updating[0].site"});
  EXPECT_EQ(changed("site: lab", "site: lab\n    dof: top.x"), Paths{"updating[0].dof"});
  EXPECT_EQ(changed("[middle, top]", "[middle, tip]"), Paths{"updating[0].twins[1]"});
  EXPECT_EQ(changed("[middle, top]", "[middle, middle]"), Paths{"updating[0].twins[1]"});
  EXPECT_EQ(changed("kind: bouc-wen, stiffness: 30 kN/mm, yield_force: 150 kN",
                    "kind: bilinear, stiffness: 30 kN/mm, yield_force: 150 kN"),
            Paths{"updating[0].twins[0]"});
  EXPECT_EQ(changed("yield_force: 100 kN, hardening: 5 %", "yield_force: 100 kN"),
            Paths{"updating[0].twins[1]"});
  // Twice 60 % would be a law without hysteresis turned round.
  EXPECT_EQ(changed("yield_force: 100 kN, hardening: 5 %",
                    "yield_force: 100 kN, hardening: 60 %"),
            Paths{"updating[0].twins[1]"});
  EXPECT_EQ(changed("yield_force: 150 kN, hardening: 5 %}\n    force",
                    "yield_force: 150 kN, degrading: {strength: 0.1}}\n    force"),
            Paths{"updating[0].law"});

  const std::string bilinear = of_bilinear(whole);
  EXPECT_EQ(refused(bilinear), Paths{});
  EXPECT_EQ(refused(replaced(bilinear, "kind: bilinear, stiffness: 20",
                             "kind: bouc-wen, stiffness: 20")),
            Paths{"updating[0].twins[1]"});
  EXPECT_EQ(refused(replaced(bilinear, "yield_force: 100 kN, hardening: 5 %",
                             "yield_force: 100 kN, hardening: 60 %")),
            Paths{"updating[0].twins[1]"});
  const std::string law = "    law: {stiffness: 30 kN/mm, yield_force: 150 kN}\n";
  EXPECT_EQ(refused(bilinear + law), Paths{"updating[0]"});
  EXPECT_EQ(
      changed("    law: {stiffness: 30 kN/mm, yield_force: 150 kN, hardening: 5 %}\n", ""),
      Paths{"updating[0]"});

  // explicit-newmark bears 2/ω, of which a law twice as stiff takes up to √2.
  const std::string plain =
      replaced(whole, "  integrator: {kind: kr-alpha, rho_infinity: 0.9}\n", "");
  const std::string slow = replaced(plain, "time_step: 2 ms", "time_step: 24 ms");
  EXPECT_EQ(refused(plain), Paths{});
  EXPECT_EQ(refused(slow + "    highest: 1\n"), Paths{});
  EXPECT_EQ(refused(slow), Paths{"updating"});
  EXPECT_EQ(changed("seed: 3", "seed: 3\nundivided: true"), Paths{"updating"});
  const std::string newton = "{kind: kr-alpha, rho_infinity: 0.9}";
  EXPECT_EQ(changed(newton, "implicit"), Paths{});
  EXPECT_EQ(changed(newton, "{kind: implicit, sites: each-iteration}"), Paths{"updating"})
      << "a step has several answers";
}

}  // namespace
}  // namespace trestle::substructure
