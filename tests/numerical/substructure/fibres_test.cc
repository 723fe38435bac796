// Members of fibres, against numbers of two independent programs.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/setting_error.h"
#include "numerical/integration/member_forces.h"
#include "numerical/integration/static_newton.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure::fibres_test {
namespace {

using testing::Histories;
using testing::read_test;
using testing::structure_of;

constexpr double kAgreement = 1e-9;  // of the peak

std::string complaint(const std::string& text) {
  try {
    composition::make_numerical(read_test(text), {}, nullptr);
  } catch (const SettingError& error) {
    return error.problems().front().path + ": " + error.problems().front().what;
  }
  return "none";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

std::string fibres_shake() {
  const std::string file =
      ::testing::TempDir() + "/fibres_" + std::to_string(::getpid()) + ".csv";
  std::ofstream(file) << "0, 0\n0.3, 6\n0.7, -8\n1.1, 10\n1.6, -4\n2, 0\n";
  return file;
}

/// A column of reinforced concrete, clamped at its foot, under 400 kN.
struct Column {
  std::string steel = "steel";
  std::string geometry = "linear";
  std::string integrator = "{kind: implicit, iterations: 12}";
  std::string duration = "1 s";
  std::string motion = "";
  std::string more = "";
  bool massive = false;  // at every DOF: what schemes that split need

  std::string text() const {
    return R"(
test: column
time_step: 5 ms
duration: )" +
           duration + R"(
numerical:
  frame:
    geometry: )" +
           geometry + (massive ? "\n    mass_matrix: consistent" : "") + R"(
    nodes: {foot: [0, 0], top: [0, 3]}
    supports: [{nodes: foot, fixed: all}]
    materials:
      concrete: {kind: concrete, fc: 30 MPa, strain: 0.002, fu: 6 MPa, ultimate_strain: 0.006}
      bars: {kind: )" +
           steel + R"(, E: 200 GPa, fy: 420 MPa, b: 0.01}
    sections:
      s:)" +
           (massive ? "\n        mass_per_length: 400 kg/m" : "") +
           R"(
        fibres:
          shapes: [{kind: rectangle, material: concrete, b: 0.4 m, h: 0.4 m, layers: 16}]
          bars: [{material: bars, y: 0.15 m, area: 471 mm2, count: 2}, {material: bars, y: -0.15 m, area: 942 mm2}]
    members: [{name: m, from: foot, to: top, section: s, parts: 4}]
    masses: [{node: top, mass: 20 t}]
    damping: {rayleigh: {mass_factor: 0.5}}
  integrator: )" +
           integrator + R"(
excitation:
  loads: {weight: {nodes: {top: {y: -400 kN}}}}
  gravity: {from: none, loads: weight}
)" + motion +
           more;
  }
};

TEST(Fibres, CantileverIsPushedAsTwoProgramsSay) {
  struct Anchor {
    const char* steel;
    std::vector<double> forces;
  };
  const std::vector<Anchor> anchors{
      {"steel",
       {36428.482317, -36441.8334299, 55024.0174077, -55025.7771099, 71806.6972017,
        -72090.1782193, 73487.2156834, -21525.2248116}},
      {"menegotto-pinto",
       {36428.4823146, -36441.833282, 55018.3663823, -55017.834072, 71800.9897512,
        -72138.817254, 73638.2199086, -10813.560214}}};
  const std::vector<double> turns{10, -10, 20, -20, 40, -40, 60, 0};
  for (const Anchor& anchor : anchors) {
    SCOPED_TRACE(anchor.steel);
    structure::StructuralModel structure =
        structure_of(read_test(Column{.steel = anchor.steel}.text()));
    const int x = structure.equation("top.x");
    const int y = structure.equation("top.y");
    Eigen::VectorXd weight = Eigen::VectorXd::Zero(structure.equations);
    Eigen::VectorXd push = weight;
    weight[y] = -400e3;
    push[x] = 1.0;
    integration::StaticNewton newton(structure);
    for (int i = 1; i <= 10; ++i) newton.reach(0.1 * i * weight, 0.1 * i);
    EXPECT_NEAR(newton.displacement()[y], -0.000236110987355, 1e-9 * 0.000236);
    double force = 0.0;
    double at = 0.0;
    for (std::size_t i = 0; i < turns.size(); ++i) {
      const int steps = static_cast<int>(std::lround(std::abs(turns[i] - at) / 0.5));
      for (int k = 1; k <= steps; ++k)
        newton.push(weight, push, x, 1e-3 * (at + (turns[i] - at) * k / steps), force);
      at = turns[i];
      EXPECT_NEAR(force, anchor.forces[i], kAgreement * 73638.0) << turns[i];
    }
  }
}

TEST(Fibres, ReportsModesUnderGravity) {
  const auto omega2 = [](const char* geometry) {
    composition::NumericalReport report;
    composition::make_numerical(read_test(Column{.geometry = geometry}.text()), {},
                                &report);
    return std::pow(2.0 * M_PI / report.periods.at(0), 2);
  };
  EXPECT_NEAR(omega2("linear"), 387.329559774, kAgreement * 387.0);
  EXPECT_NEAR(omega2("p-delta"), 379.327593701, kAgreement * 379.0);
}

TEST(Fibres, CantileverShakesAsAProgramSays) {
  if (!testing::records_are_here({"elcentro.csv"}))
    GTEST_SKIP() << "no ground motions beside the source";
  struct Anchor {
    const char* steel;
    double peak, last;
  };
  for (const Anchor& anchor :
       {Anchor{"steel", 0.0543511469259, 0.0386464983909},
        Anchor{"menegotto-pinto", 0.0538817467505, 0.0295844970588}}) {
    const Histories run(read_test(Column{
        .steel = anchor.steel,
        .geometry = "p-delta",
        .duration = "20 s",
        .motion = "  motions: [{record: " + testing::record_from_rest("elcentro.csv") +
                  ", scale: 0.8}]\n",
        .more = "recording: {nodes: top, energies: true}\n"}
                                      .text()));
    EXPECT_NEAR(std::abs(run.peak("top.x.disp_m")), anchor.peak, kAgreement * anchor.peak)
        << anchor.steel;
    EXPECT_NEAR(run.last("top.x.disp_m"), anchor.last, kAgreement * anchor.peak)
        << anchor.steel;
    EXPECT_LT(std::abs(run.last("energy.balance")), 1e-10);
  }
}

// The axial force at the chord of each part.
TEST(Fibres, CantileverOnChordsShakesAsAProgramSays) {
  if (!testing::records_are_here({"elcentro.csv"})) GTEST_SKIP() << "no ground motion";
  for (const auto& [steel, peak] :
       {std::pair{"steel", 0.0542736259628}, {"menegotto-pinto", 0.0538021942373}}) {
    const Histories run(read_test(Column{
        .steel = steel,
        .geometry = "p-delta\n    p_delta: chord",
        .duration = "20 s",
        .motion = "  motions: [{record: " + testing::record_from_rest("elcentro.csv") +
                  ", scale: 0.8}]\n",
        .more = "recording: {nodes: top}\n"}
                                      .text()));
    EXPECT_NEAR(std::abs(run.peak("top.x.disp_m")), peak, kAgreement * peak) << steel;
  }
}

// Of one elastic material, a member of fibres is the elastic one.
TEST(Fibres, ElasticFibresAreTheElasticMember) {
  const std::string motion = "  motions: [{record: " + fibres_shake() + ", scale: 0.01}]\n";
  const std::string more = "recording: {nodes: top, members: [m], reactions: all}\n";
  std::string fibres = Column{.motion = motion, .more = more}.text();
  fibres = replaced(fibres,
                    "concrete: {kind: concrete, fc: 30 MPa, strain: 0.002, fu: 6 MPa, "
                    "ultimate_strain: 0.006}",
                    "concrete: {kind: steel, E: 30 GPa, fy: 30 GPa}");
  const std::string section = fibres.substr(
      fibres.find("      s:\n"), fibres.find("    members:") - fibres.find("      s:\n"));
  std::string elastic =
      replaced(fibres, section,
               // 0.4²+ 2·942e-6·200/30; 0.4⁴/12·(1 − 1/16²) + 2·942e-6·200/30·0.15²
               "      s: {E: 30 GPa, A: 0.17256, I: 0.0024076}\n");
  const std::size_t materials = elastic.find("    materials:");
  elastic.erase(materials, elastic.find("    sections:") - materials);
  const Histories one(read_test(fibres));
  const Histories other(read_test(elastic));
  for (const char* channel : {"top.x.disp_m", "m.from.M_Nm", "m.to.N_N",
                              "foot.x.reaction_N", "foot.rz.reaction_Nm"})
    EXPECT_NEAR(one.peak(channel), other.peak(channel),
                1e-9 * std::abs(other.peak(channel)) + 1e-9)
        << channel;
}

// The schemes that split take the force at the prediction and the stiffness at rest.
TEST(Fibres, SplittingComesToTheImplicitMotion) {
  const auto peak = [](const char* integrator, const char* time_step) {
    std::string text = Column{.integrator = integrator,
                              .duration = "2 s",
                              .motion = "  motions: [{record: " + fibres_shake() + "}]\n",
                              .more = "recording: {nodes: top}\n",
                              .massive = true}
                           .text();
    return Histories(read_test(replaced(text, "5 ms", time_step))).peak("top.x.disp_m");
  };
  const double implicit = peak("{kind: implicit, iterations: 6}", "0.25 ms");
  EXPECT_NEAR(peak("{kind: operator-splitting, alpha: 0}", "0.25 ms"), implicit,
              2e-2 * std::abs(implicit));
}

// The run of a resumed test has the bits of one that did not stop.
TEST(Fibres, GoesOnFromASnapshot) {
  for (const std::string integrator :
       {"implicit", "{kind: implicit, rho_infinity: 0.8}", "operator-splitting"})
    for (const std::string steel : {"steel", "menegotto-pinto"}) {
      const config::Test test =
          read_test(Column{.steel = steel,
                           .geometry = "p-delta",
                           .integrator = integrator,
                           .motion = "  motions: [{record: " + fibres_shake() + "}]\n",
                           .more = "recording: {nodes: top, members: all, energies: true, "
                                   "reactions: all, sections: all}\n",
                           .massive = integrator == "operator-splitting"}
                        .text());
      const auto whole = composition::make_numerical(test, {}, nullptr);
      const auto resumed = composition::make_numerical(test, {}, nullptr);
      std::vector<double> row(whole->channels().size());
      std::vector<double> other(row.size());
      whole->correct(-1, {});
      for (std::int64_t k = 0; k < whole->steps(); ++k) {
        whole->predict(k, {});
        ASSERT_TRUE(whole->correct(k, {}));
        if (k == 100) {
          SnapshotWriter snapshot;
          whole->snapshot(snapshot);
          SnapshotReader reader(snapshot.values());
          resumed->restore(reader);
          EXPECT_TRUE(reader.at_end());
        } else if (k > 100) {
          resumed->predict(k, {});
          ASSERT_TRUE(resumed->correct(k, {}));
        }
        if (k < 100) continue;
        whole->record(row);
        resumed->record(other);
        ASSERT_EQ(row, other) << integrator << " " << steel << " " << k;
      }
    }
}

std::vector<std::string> notices_after(const config::Test& test) {
  const auto column = composition::make_numerical(test, {}, nullptr);
  column->correct(-1, {});
  for (std::int64_t k = 0; k < column->steps(); ++k) {
    column->predict(k, {});
    EXPECT_TRUE(column->correct(k, {}));
  }
  EXPECT_EQ(column->notices()->count(), column->notices()->sentences().size());
  return column->notices()->sentences();
}

// Concrete that only cracks leaves the bars; concrete that crushes softens the foot first.
// Recorded or not.
TEST(Fibres, TellOfTheSectionsThatSoften) {
  const auto shaken = [](const std::string& scale) {
    return notices_after(read_test(Column{
        .motion = "  motions: [{record: " + fibres_shake() + ", scale: " + scale + "}]\n"}
                                       .text()));
  };
  EXPECT_EQ(shaken("0.02"), std::vector<std::string>{});
  const std::vector<std::string> told = shaken("3");
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.front(),
            "section m.p1 softens: its tangent was negative; curvature concentrates there, "
            "and the result depends on the number of sections and `parts`");
}

/// With named fibres and the sections of the member in the record.
std::string with_sections(std::string text) {
  text = replaced(text, "h: 0.4 m, layers: 16}", "h: 0.4 m, layers: 16, name: core}");
  return replaced(text, "y: -0.15 m, area: 942 mm2}",
                  "y: -0.15 m, area: 942 mm2, name: right}");
}

// In each part the sections' forces do the work of the forces on its ends: with the weights
// of three Gauss points N = Σ w N_i and M₁ = Σ w (6ξ − 4) M_i; loads stand on nodes alone.
TEST(Fibres, SectionsCarryTheForcesOfTheirMember) {
  const Histories run(read_test(
      with_sections(Column{.motion = "  motions: [{record: " + fibres_shake() + "}]\n",
                           .more = "recording: {nodes: top, members: m, sections: m}\n"}
                        .text())));
  constexpr std::array<double, 3> kWeights{5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
  const double root = std::sqrt(0.6);
  const std::array<double, 3> places{0.5 * (1.0 - root), 0.5, 0.5 * (1.0 + root)};
  const auto column = [&run](int point, const char* what) {
    return run.of("m.p" + std::to_string(point) + "." + what);
  };
  const std::vector<double> axial = run.of("m.from.N_N");
  const std::vector<double> foot = run.of("m.from.M_Nm");
  const std::vector<double> top = run.of("m.to.M_Nm");
  std::vector<double> N(axial.size(), 0.0);
  std::vector<double> first(axial.size(), 0.0);
  std::vector<double> last(axial.size(), 0.0);
  for (int i = 0; i < 3; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::vector<double> pull = column(1 + i, "N_N");
    const std::vector<double> below = column(1 + i, "M_Nm");
    const std::vector<double> above = column(10 + i, "M_Nm");
    for (std::size_t k = 0; k < axial.size(); ++k) {
      N[k] += kWeights[at] * pull[k];
      first[k] += kWeights[at] * (6.0 * places[at] - 4.0) * below[k];
      last[k] += kWeights[at] * (6.0 * places[at] - 2.0) * above[k];
    }
  }
  double largest = 0.0;
  for (std::size_t k = 0; k < axial.size(); ++k) {
    ASSERT_NEAR(N[k], -axial[k], 1e-9 * 400e3) << k;
    ASSERT_NEAR(first[k], foot[k], 1e-9 * 200e3) << k;
    ASSERT_NEAR(last[k], top[k], 1e-9 * 200e3) << k;
    largest = std::max(largest, std::abs(foot[k]));
  }
  EXPECT_GT(largest, 20e3);
}

// Two channels of one name could not be written as HDF5.
TEST(Fibres, RecordSectionsOnceHoweverOftenTheirMemberIsNamed) {
  const auto channels = [](const std::string& members) {
    const std::string more = "recording: {nodes: top, sections: " + members + "}\n";
    return composition::make_numerical(read_test(Column{.more = more}.text()), {}, nullptr)
        ->channels()
        .size();
  };
  EXPECT_EQ(channels("[m, m]"), channels("m"));
}

TEST(Fibres, RecordNoSectionsOfMembersOfOneName) {
  const std::string twice =
      replaced(Column{.more = "recording: {nodes: top, sections: all}\n"}.text(),
               "members: [{name: m, ", "members: [{from: foot, to: top, section: s}, {");
  EXPECT_EQ(
      complaint(twice),
      "recording.sections[0]: several members are called `foot-top`; give them names");
}

// A bar's stress is what a law of our own makes of its recorded strain: bilinear,
// kinematic.
TEST(Fibres, ANamedBarFollowsItsLaw) {
  const Histories run(read_test(with_sections(
      Column{.motion = "  motions: [{record: " + fibres_shake() + ", scale: 2}]\n",
             .more = "recording: {nodes: top, sections: all}\n"}
          .text())));
  const std::vector<double> strain = run.of("m.p1.right.strain");
  const std::vector<double> stress = run.of("m.p1.right.stress_Pa");
  const std::vector<double> along = run.of("m.p1.eps0");
  const std::vector<double> curvature = run.of("m.p1.kappa_1_m");
  constexpr double kModulus = 200e9;
  constexpr double kYield = 420e6;
  constexpr double kSecond = 0.01 * kModulus;
  double plastic = 0.0;  // on the elastic part, beside a spring of the second stiffness
  bool yielded = false;
  for (std::size_t k = 0; k < strain.size(); ++k) {
    EXPECT_NEAR(strain[k], along[k] + 0.15 * curvature[k], 1e-15) << k;
    const double beside = (kModulus - kSecond) * (strain[k] - plastic);
    const double limit = kYield * (1.0 - 0.01);
    if (std::abs(beside) > limit) {
      plastic = strain[k] - std::copysign(limit, beside) / (kModulus - kSecond);
      yielded = true;
    }
    ASSERT_NEAR(stress[k],
                (kModulus - kSecond) * (strain[k] - plastic) + kSecond * strain[k],
                1e-9 * kYield)
        << k;
  }
  EXPECT_TRUE(yielded);
  // The outermost layers of the concrete, in the middle of theirs: 0.2 m less half a layer.
  const std::vector<double> low = run.of("m.p1.core.low.strain");
  const std::vector<double> high = run.of("m.p1.core.high.strain");
  for (std::size_t k = 0; k < low.size(); ++k) {
    EXPECT_NEAR(low[k], along[k] + 0.1875 * curvature[k], 1e-15) << k;
    EXPECT_NEAR(high[k], along[k] - 0.1875 * curvature[k], 1e-15) << k;
  }
}

TEST(Fibres, TellsWhatIsWrong) {
  const std::string good = Column{}.text();
  EXPECT_EQ(complaint(replaced(good, "fibres:\n", "E: 30 GPa\n        fibres:\n")),
            "numerical.frame.sections[0].E: is of an elastic section; this one has fibres: "
            "leave one of them out");
  EXPECT_EQ(complaint(replaced(good, "bars: [{material: bars,", "bars: [{material: bar,")),
            "numerical.frame.sections[0].fibres.bars[0].material: unknown material `bar`; "
            "did you mean `bars`?");
  EXPECT_EQ(complaint(replaced(good, "ultimate_strain: 0.006", "ultimate_strain: 0.001")),
            "numerical.frame.materials[0].ultimate_strain: must be above strain, at which "
            "the concrete has its strength");
  EXPECT_EQ(complaint(replaced(good, "    sections:\n",
                               "      spare: {kind: steel, E: 1 GPa, fy: 1 MPa}\n    "
                               "sections:\n")),
            "numerical.frame.materials[2]: no section has fibres of it; leave it out");
  EXPECT_EQ(complaint(good + "recording: {sections: n}\n"),
            "recording.sections[0]: the frame has no member of fibres `n`; did you mean "
            "`m`?");
  EXPECT_EQ(complaint(replaced(with_sections(good), "count: 2}", "count: 2, name: right}")),
            "numerical.frame.sections[0].fibres: two fibres are called `right`; give each "
            "its own name");
}

}  // namespace
}  // namespace trestle::substructure::fibres_test
