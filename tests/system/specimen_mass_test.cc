#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "composition/processes/hybrid_test_setup.h"
#include "tests/system/lab_run.h"

namespace trestle::specimen_mass_test {
namespace {

using testing::complaints;
using testing::LabRun;
using testing::run_lab;

namespace fs = std::filesystem;

// One mass, 20 t in all, of which 9 t stand in the laboratory. Two references: the
// undivided structure, which shares the arithmetic and so must give the same bits, and the
// closed form of the damped oscillator under a load that is linear over a step, which
// shares nothing with the run. The schemes are of second order: at ωΔt = 0.0093 they are
// some (ωΔt)² ω T/24 off.

constexpr double kStiffness = 1.8e6;  // [N/m]
constexpr double kDamping = 8e3;      // [N·s/m]
constexpr double kMass = 20e3;        // [kg]

/// Two columns, seeded; gone with this.
class Record {
 public:
  Record() {
    std::string pattern = (fs::temp_directory_path() / "specimen_mass_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
      throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    std::ofstream file(folder_ / "record.csv");
    for (int i = 0; i <= kPoints; ++i) file << i * kApart << "," << at(i * kApart) << "\n";
  }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;
  ~Record() { fs::remove_all(folder_); }

  std::string path() const { return (folder_ / "record.csv").string(); }

  /// Straight lines between its points [m/s²].
  static double at(double time) {
    const double place = time / kApart;
    const double before = std::floor(place + 1e-9);
    const double part = place - before;
    if (std::abs(part) < 1e-9) return smooth(before * kApart);
    return smooth(before * kApart) +
           part * (smooth((before + 1.0) * kApart) - smooth(before * kApart));
  }

 private:
  static constexpr int kPoints = 512;
  static constexpr double kApart = 1.0 / 64.0;  // a whole number of every step

  static double smooth(double time) {
    double sum = 0.0;
    for (int i = 1; i <= 7; ++i)
      sum += std::sin(2.0 * std::numbers::pi * (0.31 + 0.43 * i) * time + 1.7 * i * i);
    return 0.6 * sum * std::sin(std::numbers::pi * std::min(time, 1.0) / 2.0);
  }

  fs::path folder_;
};

/// u'' + 2ζω u' + ω² u = −a(t), a linear over each step; from rest.
std::vector<double> exact(double step, int steps, double damping = kDamping,
                          const std::function<double(double)>& ground = Record::at) {
  const double omega = std::sqrt(kStiffness / kMass);
  const double zeta = damping / (2.0 * omega * kMass);
  const double damped = omega * std::sqrt(1.0 - zeta * zeta);
  std::vector<double> motion{0.0};
  double d = 0.0;
  double v = 0.0;
  for (int n = 1; n < steps; ++n) {
    const double from = -ground((n - 1) * step);
    const double slope = (-ground(n * step) - from) / step;
    const double B = slope / (omega * omega);
    const double A = (from - 2.0 * zeta * omega * B) / (omega * omega);
    const double c1 = d - A;
    const double c2 = (v - B + zeta * omega * c1) / damped;
    const double decay = std::exp(-zeta * omega * step);
    const double C = std::cos(damped * step);
    const double S = std::sin(damped * step);
    d = A + B * step + decay * (c1 * C + c2 * S);
    v = B + decay * (-zeta * omega * (c1 * C + c2 * S) + damped * (-c1 * S + c2 * C));
    motion.push_back(d);
  }
  return motion;
}

std::string oscillator(const std::string& record, const std::string& specimen,
                       const std::string& numerical_mass = "11 t") {
  return "test: oscillator\ntime_step: 1/1024 s\nseed: 1\nduration: 8 s\n"
         "excitation: {record: " +
         record +
         "}\n"
         "numerical:\n  frame:\n    nodes: {a: [0, 0]}\n"
         "    supports: [{nodes: [a], fixed: [y, rz]}]\n"
         "    masses: [{node: a, mass: " +
         numerical_mass +
         "}]\n"
         "    springs: [{node: a, dof: x, law: {kind: linear, stiffness: 1 MN/m}, damping: "
         "8 kN.s/m}]\n"
         "sites:\n  lab:\n    interface: [a.x]\n    rig:\n"
         "      specimen: {kind: linear, stiffness: [[0.8e6]]" +
         specimen + "}\n";
}

const char* const kHeavy = ", mass: [[9000]]";

Eigen::VectorXd motion(const std::string& yaml, const std::vector<std::string>& overrides) {
  const LabRun run = run_lab(yaml, overrides);
  EXPECT_EQ(run.report.result, evaluation::RunResult::kComplete) << run.report.reason;
  return run.row("a.x.disp_m");
}

/// Largest difference over the peak.
double error(const Eigen::VectorXd& of, const std::vector<double>& reference) {
  EXPECT_EQ(static_cast<std::size_t>(of.size()), reference.size());
  if (static_cast<std::size_t>(of.size()) != reference.size()) return INFINITY;
  double most = 0.0;
  double peak = 0.0;
  for (Eigen::Index i = 0; i < of.size(); ++i) {
    const double wanted = reference[static_cast<std::size_t>(i)];
    most = std::max(most, std::abs(of[i] - wanted));
    peak = std::max(peak, std::abs(wanted));
  }
  EXPECT_GT(peak, 5e-3);
  return most / peak;
}

struct Case {
  std::string name;
  std::string kind;
};
void PrintTo(const Case& of, std::ostream* stream) {
  *stream << of.name;
}

const std::vector<Case> kSchemes{
    {"explicit_newmark", "explicit-newmark"},
    {"constant_average_acceleration", "constant-average-acceleration"},
    {"operator_splitting", "operator-splitting"},
    {"kr_alpha", "kr-alpha"},
};

const std::vector<std::vector<std::string>> kModes{
    {"undivided=true"},
    {"mode=simulated"},
    {"mode=real-time", "clock=virtual", "real_time={latency_steps: 0}"},
    {"mode=pseudo-dynamic", "clock=virtual",
     "pseudo_dynamic={rate: 1 m/s, settle: 2 ms, average: 1 ms}"},
    {"mode=continuous", "clock=virtual", "continuous={scale: 4}",
     "sites.lab.control_tick=1/1024 s"},
};

/// The oscillator's motion with the specimen (0.8 MN/m, 9 t) on a table that is where the
/// ground is: what a site answers there, its inertia taken out.
Eigen::VectorXd on_a_table(NumericalSubstructure& structure) {
  constexpr int kSteps = 8193;
  std::vector<SiteTarget> requests{{InterfaceMotion::zero(1), {}, {}}};
  std::vector<SiteResponse> answers{{InterfaceVector::Zero(1), InterfaceVector::Zero(1)}};
  std::size_t place = 0;
  while (structure.channels().at(place).name != "a.x.disp_m") ++place;
  std::vector<double> row(structure.channels().size());
  Eigen::VectorXd found(kSteps);
  structure.prepare();
  EXPECT_TRUE(structure.correct(-1, answers));
  for (int k = 0; k < kSteps; ++k) {
    structure.predict(k, requests);
    answers[0].measured = requests[0].target.displacement;
    answers[0].force[0] = 0.8e6 * answers[0].measured[0] + 9000.0 * Record::at(k / 1024.0);
    EXPECT_TRUE(structure.correct(k, answers));
    structure.record(row);
    found[k] = row[place];
  }
  return found;
}

class SpecimenMass : public ::testing::TestWithParam<Case> {
 protected:
  std::vector<std::string> with(std::vector<std::string> others) const {
    others.push_back("numerical.integrator=" + GetParam().kind);
    return others;
  }
  Record record_;
};

TEST_P(SpecimenMass, MovesWithTheGroundInEveryMode) {
  const std::vector<double> reference = exact(1.0 / 1024.0, 8193);
  for (const std::vector<std::string>& mode : kModes)
    EXPECT_LT(error(motion(oscillator(record_.path(), kHeavy), with(mode)), reference),
              5e-4)
        << mode.front();
}

TEST_P(SpecimenMass, LeavesTheSchemeItsSecondOrder) {
  const auto at = [&](const std::string& step, double dt, int steps) {
    return error(motion(oscillator(record_.path(), kHeavy), with({"time_step=" + step})),
                 exact(dt, steps));
  };
  const double coarse = at("1/512 s", 1.0 / 512.0, 4097);
  const double fine = at("1/1024 s", 1.0 / 1024.0, 8193);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.15) << coarse << " " << fine;
}

TEST_P(SpecimenMass, GivesTheSameBitsUndivided) {
  const std::string yaml = oscillator(record_.path(), kHeavy);
  EXPECT_EQ(motion(yaml, with({})), motion(yaml, with({"undivided=true"})));
}

TEST_P(SpecimenMass, MayBeDeclaredByItsSiteInstead) {
  const std::string yaml = oscillator(record_.path(), kHeavy);
  EXPECT_EQ(motion(yaml, with({})), motion(yaml, with({"sites.lab.mass=[[9000]]"})));
}

TEST_P(SpecimenMass, MayBeMeasuredByAccelerometers) {
  const std::string yaml = oscillator(record_.path(), kHeavy);
  EXPECT_EQ(motion(yaml, with({})), motion(yaml, with({"sites.lab.inertia=measured"})))
      << "an ideal rig is where it is told to be";
}

// A shake table gives its specimen the ground's acceleration: the load cells feel
// M_e (â + a_g), the site takes M_e â out, and the integrator applies no −M_e ι a_g.
TEST_P(SpecimenMass, OnAShakeTableIsPushedByTheTable) {
  std::string yaml = oscillator(record_.path(), "");
  yaml = yaml.substr(0, yaml.find("    rig:")) +
         "    address: tcp://127.0.0.1:7001\n    mass: [[9000]]\n";
  const auto driven = [&](const char* base) {
    const std::unique_ptr<composition::HybridTestSetup> setup =
        testing::set_up_lab(yaml, with({std::string("sites.lab.base=") + base}));
    return setup == nullptr ? Eigen::VectorXd() : on_a_table(*setup->substructure);
  };
  const std::vector<double> reference = exact(1.0 / 1024.0, 8193);
  EXPECT_LT(error(driven("moves"), reference), 5e-4);
  EXPECT_GT(error(driven("rests"), reference), 0.2) << "it would count twice";
}

TEST_P(SpecimenMass, MayBeAllThatTheDofHas) {
  const std::string yaml = oscillator(record_.path(), ", mass: [[20000]]", "0 kg");
  EXPECT_LT(error(motion(yaml, with({})), exact(1.0 / 1024.0, 8193)), 5e-4);
}

// As the storey of a shear building. Rayleigh's mass part is that of the whole mass.
TEST_P(SpecimenMass, MayBeAllThatAStoreyHas) {
  const std::string all = oscillator(record_.path(), ", mass: [[20000]]");
  const std::string yaml =
      all.substr(0, all.find("numerical:")) +
      "numerical:\n  shear_building:\n    storeys: {a: {mass: 0 t, stiffness: 1 MN/m}}\n"
      "    damping: {rayleigh: {mass_factor: 0.4, stiffness_factor: 0}}\n" +
      all.substr(all.find("sites:"));
  EXPECT_LT(error(motion(yaml, with({})), exact(1.0 / 1024.0, 8193)), 5e-4);
}

INSTANTIATE_TEST_SUITE_P(Schemes, SpecimenMass, ::testing::ValuesIn(kSchemes),
                         [](const auto& of) { return of.param.name; });

TEST(SpecimenMassOfTheLastStep, GivesTheSameBitsUndivided) {
  const Record record;
  const std::string yaml = oscillator(record.path(), kHeavy);
  const std::string scheme =
      "numerical.integrator={kind: constant-average-acceleration, site_force: "
      "of-last-step}";
  EXPECT_EQ(motion(yaml, {scheme}), motion(yaml, {scheme, "undivided=true"}));
}

TEST(SpecimenMassWithMoreTicks, IsFeltAsTheSite) {
  const Record record;
  EXPECT_LT(
      error(motion(oscillator(record.path(), kHeavy), {"sites.lab.control_tick=1/4096 s"}),
            exact(1.0 / 1024.0, 8193)),
      5e-4);
}

// At rest nothing of a viscous force is measured: the integrator adds it.
TEST(SpecimenDamping, ActsInASlowTestToo) {
  const Record record;
  const std::string yaml = oscillator(record.path(), ", mass: [[9000]], damping: [[6000]]");
  const std::vector<double> reference = exact(1.0 / 1024.0, 8193, kDamping + 6e3);
  for (const std::vector<std::string>& mode : kModes) {
    // An ideal rig's speed is that of half a tick ago: first order.
    const bool late = mode.front() == "mode=simulated" ||
                      mode.front() == "mode=real-time" || mode.front() == "mode=continuous";
    EXPECT_LT(error(motion(yaml, mode), reference), late ? 5e-3 : 5e-4) << mode.front();
  }
}

TEST(SpecimenDamping, LeavesTheUndividedStructureItsSecondOrder) {
  const Record record;
  const std::string yaml = oscillator(record.path(), ", mass: [[9000]], damping: [[6000]]");
  const auto at = [&](const std::string& step, double dt, int steps) {
    return error(motion(yaml, {"undivided=true", "time_step=" + step}),
                 exact(dt, steps, kDamping + 6e3));
  };
  EXPECT_NEAR(
      std::log2(at("1/512 s", 1.0 / 512.0, 4097) / at("1/1024 s", 1.0 / 1024.0, 8193)), 2.0,
      0.15);
}

// What is taken out of given matrices comes back with the specimen that declares it.
TEST(SpecimenMassTakenOutOfMatrices, MovesWithTheGround) {
  const Record record;
  const std::string yaml =
      "test: oscillator\ntime_step: 1/1024 s\nseed: 1\nduration: 8 s\n"
      "excitation: {record: " +
      record.path() +
      "}\n"
      "numerical:\n  matrices:\n    dofs: [a.x]\n    mass: {rows: [[20000]]}\n"
      "    stiffness: {rows: [[1.8e6]]}\n    damping_matrix: {rows: [[8000]]}\n"
      "    without: [{dofs: [a.x], mass: [[9000]], stiffness: [[0.8e6]]}]\n"
      "sites:\n  lab:\n    interface: [a.x]\n    rig:\n"
      "      specimen: {kind: linear, stiffness: [[0.8e6]], mass: [[9000]]}\n";
  EXPECT_LT(error(motion(yaml, {}), exact(1.0 / 1024.0, 8193)), 5e-4);
}

// A frame of one column with its mass at the top is the same specimen.
TEST(SpecimenMassOfAFrame, MovesWithTheGround) {
  const Record record;
  std::string yaml = oscillator(record.path(), "");
  const std::size_t from = yaml.find("{kind: linear, stiffness: [[");
  yaml.erase(from);
  yaml +=
      "{kind: frame, interface: [t.x], frame: {nodes: {t: [0, 0]}, supports: [{nodes: "
      "[t], fixed: [y, rz]}], masses: [{node: t, mass: 9 t}], springs: [{node: t, dof: x, "
      "law: {kind: linear, stiffness: 0.8 MN/m}}]}}\n";
  EXPECT_LT(error(motion(yaml, {}), exact(1.0 / 1024.0, 8193)), 5e-4);
}

/// El Centro, scaled by 0.4, and the oscillator under it.
class SpecimenMassUnderElCentro : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ifstream file(kRecord);
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line))
      points_.push_back(0.4 * std::stod(line.substr(line.find(',') + 1)));
  }
  /// Straight lines between its points [m/s²].
  double at(double time) const {
    const double place = time / 0.02;
    const auto before = static_cast<std::size_t>(place + 1e-9);
    const double part = place - static_cast<double>(before);
    return points_.at(before) + part * (points_.at(before + 1) - points_.at(before));
  }
  std::vector<double> exact_at(int rate, double damping = kDamping) const {
    return exact(1.0 / rate, 25 * rate + 1, damping,
                 [this](double time) { return at(time); });
  }
  /// Largest difference to the closed form over its peak.
  static double error_of(const std::string& specimen, std::vector<std::string> overrides,
                         const std::vector<double>& reference) {
    overrides.insert(overrides.end(), {"duration=25 s", "excitation.scale=0.4"});
    return error(motion(oscillator(kRecord, specimen), overrides), reference);
  }

  static constexpr const char* kRecord =
      TRESTLE_SOURCE_DIR "/tests/data/records/elcentro.csv";
  std::vector<double> points_;
};

// Structures.md of the record, §0.1: its figures have three digits.
TEST_F(SpecimenMassUnderElCentro, IsAsFarFromTheClosedFormAsTheTableSays) {
  const std::vector<double> reference = exact_at(1024);
  double peak = 0.0;
  for (const double value : reference) peak = std::max(peak, std::abs(value));
  EXPECT_NEAR(1e3 * peak, 32.427007641, 1e-9);
  const std::vector<std::pair<std::string, double>> errors{
      {"explicit-newmark", 1.21e-4},
      {"constant-average-acceleration", 2.37e-4},
      {"operator-splitting", 2.70e-4},
      {"kr-alpha", 2.38e-4},
      {"{kind: constant-average-acceleration, site_force: of-last-step}", 7.27e-2}};
  for (const auto& [scheme, wanted] : errors)
    EXPECT_NEAR(error_of(kHeavy, {"numerical.integrator=" + scheme}, reference), wanted,
                5e-3 * wanted)
        << scheme;
}

TEST_F(SpecimenMassUnderElCentro, LosesTheErrorOfTheTableWithTheStep) {
  const std::vector<std::pair<int, double>> errors{
      {512, 4.8e-4}, {1024, 1.21e-4}, {2048, 3.0e-5}, {4096, 7.5e-6}};
  for (const auto& [rate, wanted] : errors)
    EXPECT_NEAR(error_of(kHeavy,
                         {"numerical.integrator=explicit-newmark",
                          "time_step=1/" + std::to_string(rate) + " s"},
                         exact_at(rate)),
                wanted, 2e-2 * wanted)
        << rate;
}

TEST_F(SpecimenMassUnderElCentro, MayHaveDampingOfItsOwn) {
  const std::vector<double> reference = exact_at(1024, kDamping + 6e3);
  const std::vector<std::pair<std::string, double>> errors{
      {"explicit-newmark", 6.7e-5},
      {"constant-average-acceleration", 1.28e-4},
      {"operator-splitting", 1.46e-4}};
  for (const auto& [scheme, wanted] : errors)
    EXPECT_NEAR(error_of(", mass: [[9000]], damping: [[6000]]",
                         {"numerical.integrator=" + scheme, "undivided=true"}, reference),
                wanted, 1e-2 * wanted)
        << scheme;
}

// docs/explanation/execution-modes.md: the velocity of an ideal rig is half a tick old.
TEST_F(SpecimenMassUnderElCentro, IsOfFirstOrderWithDampingInTheLaboratory) {
  const std::vector<double> reference = exact_at(1024, kDamping + 6e3);
  const std::vector<std::pair<std::string, double>> errors{
      {"explicit-newmark", 1.35e-3},
      {"constant-average-acceleration", 1.16e-3},
      {"operator-splitting", 1.14e-3},
      {"kr-alpha", 2.6e-4}};
  for (const auto& [scheme, wanted] : errors)
    EXPECT_NEAR(error_of(", mass: [[9000]], damping: [[6000]]",
                         {"numerical.integrator=" + scheme}, reference),
                wanted, 1e-2 * wanted)
        << scheme;
}

// Values of an independent program.
TEST_F(SpecimenMassUnderElCentro, ReachesThePeaksOfAnIndependentProgram) {
  const std::string yaml = oscillator(kRecord, kHeavy);
  const std::vector<std::pair<std::string, double>> peaks{
      {"explicit-newmark", 32.4274727},
      {"constant-average-acceleration", 32.4271206},
      {"operator-splitting", 32.4271592},
      {"kr-alpha", 32.4279327},
      {"{kind: constant-average-acceleration, site_force: of-last-step}", 34.2486459}};
  for (const auto& [scheme, peak] : peaks)
    for (const char* divided : {"undivided=false", "undivided=true"})
      EXPECT_NEAR(motion(yaml, {"numerical.integrator=" + scheme, "duration=25 s",
                                "excitation.scale=0.4", divided})
                          .cwiseAbs()
                          .maxCoeff() *
                      1e3,
                  peak, 6e-8)
          << scheme << " " << divided;
}

// Three steps late, 90 % of the mass: above 0.618, so that the path tells a wrong inertia;
// accelerometers on the specimen tell the right one, however late it is.
TEST(SpecimenMassOfALateRig, IsBorneWhereItIsMeasured) {
  const Record record;
  std::string yaml = oscillator(record.path(), ", mass: [[18000]]", "2 t");
  for (const auto& [from, to] : {std::pair{"stiffness: 1 MN/m", "stiffness: 1.8 MN/m"},
                                 {"[[0.8e6]]", "[[0]]"},
                                 {"rig:\n",
                                  "rig:\n      actuators: [{kind: delay, delay: "
                                  "3/1024 s}]\n"}})
    yaml.replace(yaml.find(from), std::string(from).size(), to);
  const std::vector<double> reference = exact(1.0 / 1024.0, 8193);
  EXPECT_LT(error(motion(yaml, {"sites.lab.inertia=measured"}), reference), 5e-4);
  const LabRun by_path = run_lab(yaml);
  const bool borne = by_path.report.result == evaluation::RunResult::kComplete &&
                     by_path.row("a.x.disp_m").cwiseAbs().maxCoeff() < 1.0;
  EXPECT_FALSE(borne);
}

TEST(SpecimenMassThatIsMeasured, NeedsAccelerometersAndAMass) {
  const Record record;
  const std::string measured = "sites.lab.inertia=measured";
  const std::vector<std::string> lines =
      complaints(oscillator(record.path(), ""), {measured});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("inertia: has an effect on a specimen with mass only"),
            std::string::npos)
      << lines[0];
  const LabRun run = run_lab(oscillator(record.path(), ""),
                             {measured, "sites.lab.mass=[[9000]]",
                              "sites.lab.rig.transfer_systems=[{mass: 200 kg, stiffness: "
                              "400 MN/m, damping: 300 kN.s/m}]"});
  EXPECT_NE(run.report.reason.find("measures 0 accelerations of the specimen"),
            std::string::npos)
      << run.report.reason;
}

TEST(SpecimenMassThatIsNone, IsRefusedAtItsPlace) {
  const Record record;
  const std::string yaml = oscillator(record.path(), kHeavy);
  const auto of = [&](const std::string& setting) {
    const std::vector<std::string> lines = complaints(yaml, {setting});
    return lines.size() == 1 ? lines.front() : std::to_string(lines.size()) + " lines";
  };
  EXPECT_NE(of("sites.lab.mass=[[-1]]").find("not positive semi-definite"),
            std::string::npos)
      << of("sites.lab.mass=[[-1]]");
  EXPECT_NE(of("sites.lab.mass=[[1, 0], [0, 1]]").find("is 2 x 2; the site has 1"),
            std::string::npos);
  EXPECT_NE(of("sites.lab.base=moves").find("shake table"), std::string::npos);
}

}  // namespace
}  // namespace trestle::specimen_mass_test
