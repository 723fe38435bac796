// Sites whose specimens stand on supports that move each by itself: against a model that
// was never cut, and against the undivided structure to the same bits.
#include "core/math/carried_inertia.h"
#include "core/ports/specimen_model.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure::moving_bases_test {
namespace {

using testing::read_test;

constexpr Eigen::Index kDofs = 3;
constexpr double kMass = 2e3;      // of the specimen, at its top [kg]
constexpr double kInertia = 50.0;  // [kg·m²]
constexpr double kDashpot = 3e4;   // [N·s/m]
constexpr double kHeavy = 800.0;   // of a column with mass between its ends [kg/m]
constexpr double kLength = 3.0;    // of the column [m]

/// An upright column of 3 m, E·I = 8 MN·m², E·A = 900 MN, as its top feels it: x, y, rz.
Eigen::MatrixXd column_stiffness() {
  constexpr double kBending = 8e6;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(kDofs, kDofs);
  K(0, 0) = 12.0 * kBending / (kLength * kLength * kLength);
  K(0, 2) = K(2, 0) = 6.0 * kBending / (kLength * kLength);
  K(2, 2) = 4.0 * kBending / kLength;
  K(1, 1) = 900e6 / kLength;
  return K;
}
Eigen::MatrixXd column_mass() {
  return Eigen::Vector3d(kMass, kMass, kInertia).asDiagonal();
}

/// Of the heavy column at its top, by cubic and linear shapes.
Eigen::MatrixXd heavy_column_mass() {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(kDofs, kDofs);
  M(0, 0) = 156.0;
  M(1, 1) = 140.0;
  M(0, 2) = M(2, 0) = 22.0 * kLength;
  M(2, 2) = 4.0 * kLength * kLength;
  return kHeavy * kLength / 420.0 * M + column_mass();
}

/// What its top feels as both its ends go along x, y and z with 1 m/s²: of its own mass
/// that of a beam under m·a per length with the ends held, m·L/2 and m·L²/12.
Eigen::MatrixXd heavy_column_base_mass() {
  Eigen::MatrixXd felt = Eigen::MatrixXd::Zero(kDofs, 3);
  felt(0, 0) = felt(1, 1) = kHeavy * kLength / 2.0 + kMass;
  felt(2, 0) = kHeavy * kLength * kLength / 12.0;
  return felt;
}

class Column final : public SpecimenModel {
 public:
  int dofs() const noexcept override { return static_cast<int>(kDofs); }
  Eigen::MatrixXd initial_stiffness() const override { return column_stiffness(); }
  Eigen::MatrixXd damping() const override { return Eigen::MatrixXd::Zero(kDofs, kDofs); }
  Eigen::MatrixXd mass() const override { return column_mass(); }
  void prepare(double /*period*/) override {}
  InterfaceVector advance(const InterfaceVector& displacement,
                          const InterfaceVector& /*velocity*/,
                          const InterfaceVector& acceleration) noexcept override {
    InterfaceVector force = stiffness_ * displacement;
    force.noalias() += mass_ * acceleration;
    return force;
  }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

 private:
  Eigen::MatrixXd stiffness_ = column_stiffness();
  Eigen::MatrixXd mass_ = column_mass();
};

structure::ExperimentalPart part(bool with_dashpot = false, bool heavy = false) {
  structure::ExperimentalPart part{.site = "west",
                                   .dofs = {"b.x", "b.y", "b.rz"},
                                   .stiffness = column_stiffness(),
                                   .damping = Eigen::MatrixXd::Zero(kDofs, kDofs),
                                   .mass = Eigen::MatrixXd::Zero(kDofs, kDofs)};
  part.own_mass = heavy ? heavy_column_mass() : column_mass();
  if (heavy) part.base_mass = heavy_column_base_mass();
  part.support = "a";
  if (with_dashpot) {
    part.own_damping = Eigen::MatrixXd::Zero(kDofs, kDofs);
    part.own_damping(0, 0) = kDashpot;
  }
  return part;
}

/// The second support turns, too, and both begin at different times.
struct Portal {
  std::string integrator = "explicit-newmark";
  bool whole = false;    // with the column and its mass in the model
  bool turning = true;   // the first support does
  bool dashpot = false;  // beside the column, in the whole model
  bool heavy = false;    // the column has mass between its ends
  bool alike = false;    // all supports move as the first
  std::string damping = "mass_factor: 0.4, stiffness_factor: 2e-4";

  std::string text() const {
    const std::string motion =
        ::testing::TempDir() + "/base_" + std::to_string(::getpid()) + ".csv";
    std::ofstream(motion) << "0, 0\n0.1, 3\n0.25, -4\n0.4, 2\n0.6, 0\n";
    const std::string history = "motion: {file: " + motion + "}";
    return R"(
test: portal
time_step: 1/2048 s
duration: 1 s
numerical:
  integrator: )" +
           integrator + R"(
  frame:
    mass_matrix: consistent
    nodes: {a: [1, 0], b: [1, 3], c: [6, 3], d: [6, 0]}
    supports: [{nodes: [a, d], fixed: all}]
    sections: {c: {E: 200 GPa, A: 45 cm2, I: 4000 cm4)" +
           (heavy ? ", mass_per_length: 800" : "") +
           R"(}, s: {E: 210 GPa, A: 60 cm2, I: 9000 cm4}}
    members:
)" + (whole ? "      - {name: west, from: a, to: b, section: c}\n" : "") +
           R"(      - {name: beam, from: b, to: c, section: s}
      - {name: east, from: d, to: c, section: s}
    masses:
      - {node: b, mass: )" +
           (whole ? "12 t, rotational_inertia: 1050" : "10 t, rotational_inertia: 1000") +
           R"(}
      - {node: c, mass: 10 t, rotational_inertia: 1000}
)" +
           (dashpot && whole
                ? "    links: [{name: k, from: a, to: b, dofs: [x], law: {kind: "
                  "viscous, coefficient: 3e4, exponent: 1}}]\n"
                : "") +
           "    damping: {rayleigh: {" + damping + "}}\n" + R"(
excitation:
  supports:
    - {nodes: [a], dof: x, )" +
           history + "}\n    - {nodes: [a], dof: y, scale: 0.3, start: 0.05 s, " + history +
           "}\n" +
           (turning ? "    - {nodes: [a], dof: rz, scale: 0.1, " + history + "}\n" : "") +
           (alike ? "    - {nodes: [d], dof: x, scale: 1, " + history +
                        "}\n    - {nodes: [d], dof: y, scale: 0.3, start: 0.05 s, " +
                        history + "}\n"
                  : "    - {nodes: [d], dof: x, scale: -0.8, start: 0.1 s, " + history +
                        "}\n");
  }
};

std::vector<double> recorded(const NumericalSubstructure& numerical) {
  std::vector<double> row(numerical.channels().size());
  numerical.record(row);
  return row;
}

composition::NumericalParts one(structure::ExperimentalPart part) {
  return {.experimental = {std::move(part)}, .undivided = {}, .reference = {}};
}

/// Rows of a test whose site is ideal: it answers its specimen without the inertia, which
/// the integrator owns.
std::vector<std::vector<double>> divided(const config::Test& test,
                                         structure::ExperimentalPart site) {
  const auto numerical = composition::make_numerical(test, one(std::move(site)), nullptr);
  Column specimen;
  math::CarriedInertia inertia(column_mass(), test.time_step(), kDofs);
  std::vector<SiteTarget> requests{{InterfaceMotion::zero(kDofs), {}, {}}};
  std::vector<SiteResponse> answers{
      {InterfaceVector::Zero(kDofs), InterfaceVector::Zero(kDofs)}};
  std::vector<std::vector<double>> rows;
  numerical->correct(-1, answers);
  for (std::int64_t k = 0; k < numerical->steps(); ++k) {
    numerical->predict(k, requests);
    const InterfaceMotion& target = requests[0].target;
    inertia.pass(target.displacement);
    answers[0].measured = target.displacement;
    answers[0].force =
        specimen.advance(target.displacement, target.velocity, inertia.acceleration());
    inertia.take_out(answers[0].force);
    EXPECT_TRUE(numerical->correct(k, answers));
    rows.push_back(recorded(*numerical));
  }
  return rows;
}

/// Largest difference of the displacements over their peak.
double difference(const std::vector<std::vector<double>>& rows,
                  const NumericalSubstructure& of,
                  const std::vector<std::vector<double>>& as,
                  const NumericalSubstructure& other) {
  double worst = 0.0;
  for (std::size_t i = 0; i < of.channels().size(); ++i) {
    const std::string& name = of.channels()[i].name;
    if (name.find(".disp_") == std::string::npos) continue;
    std::size_t j = 0;
    while (other.channels()[j].name != name) ++j;
    double peak = 0.0;
    double off = 0.0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      peak = std::max(peak, std::abs(as[k][j]));
      off = std::max(off, std::abs(rows[k][i] - as[k][j]));
    }
    EXPECT_GT(peak, 1e-7) << name;
    // What hardly moves beside motions of centimetres has their rounding.
    worst = std::max(worst, off / std::max(peak, 1e-3));
  }
  return worst;
}

double off_the_uncut(const Portal& portal, bool with_dashpot) {
  Portal uncut = portal;
  uncut.whole = true;
  uncut.dashpot = with_dashpot;
  const config::Test test = read_test(portal.text());
  const auto whole = composition::make_numerical(read_test(uncut.text()), {}, nullptr);
  std::vector<std::vector<double>> of_whole;
  whole->correct(-1, {});
  for (std::int64_t k = 0; k < whole->steps(); ++k) {
    whole->predict(k, {});
    EXPECT_TRUE(whole->correct(k, {}));
    of_whole.push_back(recorded(*whole));
  }
  const structure::ExperimentalPart site = part(with_dashpot, portal.heavy);
  const auto cut = composition::make_numerical(test, one(site), nullptr);
  return difference(divided(test, site), *cut, of_whole, *whole);
}

// The explicit scheme takes the specimen where the step ends: nothing but rounding is left,
// with Rayleigh's share of the specimen and a support that turns.
TEST(MovingBases, AreThoseOfAModelWithoutACut) {
  EXPECT_LT(off_the_uncut({}, false), 1e-9);
  EXPECT_LT(
      off_the_uncut(
          {.damping = "stiffness: elastic, mass_factor: 0, stiffness_factor: 2e-4"}, false),
      1e-9);
}

// What the integrator damps in place of the specimen acts between it and its support.
TEST(MovingBases, HoldTheDampingThatTheIntegratorOwns) {
  EXPECT_LT(off_the_uncut({.turning = false, .damping = "mass_factor: 0.4"}, true), 1e-9);
}

// Mass between the ends of a specimen goes with the support as well as with the top: so do
// its inertia and Rayleigh's share of it.
TEST(MovingBases, HoldTheDampingByMassBetweenTheEndsOfTheSpecimen) {
  for (const char* damping :
       {"mass_factor: 0", "mass_factor: 0.4", "mass_factor: 2, stiffness_factor: 2e-4",
        "stiffness: elastic, mass_factor: 2"})
    EXPECT_LT(off_the_uncut({.turning = false, .heavy = true, .damping = damping}, false),
              1e-9)
        << damping;
}

// The others take it at their prediction, which comes to the end of the step with Δt³.
TEST(MovingBases, AreNearAModelWithoutACutWithOtherSchemes) {
  for (const char* scheme :
       {"constant-average-acceleration", "{kind: operator-splitting, alpha: 0}"})
    EXPECT_LT(off_the_uncut({.integrator = scheme}, false), 2e-3) << scheme;
}

TEST(MovingBases, HaveTheBitsOfTheUndividedStructure) {
  for (const char* scheme : {"explicit-newmark", "constant-average-acceleration",
                             "operator-splitting", "kr-alpha", "implicit"}) {
    const config::Test test = read_test(Portal{.integrator = scheme}.text());
    composition::NumericalParts parts = one(part());
    parts.undivided.push_back(std::make_unique<Column>());
    const auto undivided = composition::make_numerical(test, std::move(parts), nullptr);
    const std::vector<std::vector<double>> rows = divided(test, part());
    undivided->correct(-1, {});
    for (std::size_t k = 0; k < rows.size(); ++k) {
      undivided->predict(static_cast<std::int64_t>(k), {});
      ASSERT_TRUE(undivided->correct(static_cast<std::int64_t>(k), {}));
      ASSERT_EQ(rows[k], recorded(*undivided)) << scheme << " step " << k;
    }
  }
}

// The ground of springs is held at each of their nodes, and is one support.
TEST(MovingBases, MayBeTheGroundOfSeveralSprings) {
  std::string text = Portal{.turning = false}.text();
  const auto replace = [&text](const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    ASSERT_NE(at, std::string::npos) << what;
    text.replace(at, what.size(), by);
  };
  replace(
      "    damping:",
      "    springs:\n      - {node: b, dof: x, law: {kind: linear, stiffness: 1 MN/m}}\n"
      "      - {node: c, dof: x, law: {kind: linear, stiffness: 1 MN/m}}\n    damping:");
  replace("{nodes: [a], dof: x", "{nodes: [a, ground], dof: x");
  replace("scale: 0.3", "scale: 0");
  const config::Test test = read_test(text);
  structure::ExperimentalPart on_ground = part();
  on_ground.support = "ground";
  EXPECT_EQ(divided(test, on_ground), divided(test, part()));
}

// Then any of them is what the specimen stands on.
TEST(MovingBases, NeedNoNameWhereAllSupportsMoveAlike) {
  const Portal portal{.turning = false, .alike = true};
  const config::Test test = read_test(portal.text());
  structure::ExperimentalPart nameless = part();
  nameless.support.clear();
  const std::vector<std::vector<double>> rows = divided(test, nameless);
  for (const char* support : {"a", "d"}) {
    structure::ExperimentalPart named = part();
    named.support = support;
    EXPECT_EQ(rows, divided(test, named)) << support;
  }
}

// Whoever did not choose it reads in the check which one it is.
TEST(MovingBases, AreToldInTheReport) {
  const config::Test test = read_test(Portal{.turning = false, .alike = true}.text());
  structure::ExperimentalPart nameless = part();
  nameless.support.clear();
  composition::NumericalReport report;
  composition::make_numerical(test, one(nameless), &report);
  ASSERT_EQ(report.moving_supports.bases.size(), 1U);
  EXPECT_EQ(report.moving_supports.bases[0].support, "a");
  EXPECT_FALSE(report.moving_supports.bases[0].named);
  structure::ExperimentalPart named = part();
  named.support = "d";
  composition::NumericalReport of_named;
  composition::make_numerical(test, one(named), &of_named);
  ASSERT_EQ(of_named.moving_supports.bases.size(), 1U);
  EXPECT_EQ(of_named.moving_supports.bases[0].support, "d");
  EXPECT_TRUE(of_named.moving_supports.bases[0].named);
}

// One that is delayed, stands still or turns is another motion.
TEST(MovingBases, NeedANameWhereSupportsDiffer) {
  structure::ExperimentalPart nameless = part();
  nameless.support.clear();
  const auto refused = [&](const std::string& text) {
    try {
      composition::make_numerical(read_test(text), one(nameless), nullptr);
    } catch (const SettingError& error) {
      return std::string(error.what())
          .starts_with("sites[0].support: is missing: supports move differently");
    }
    return false;
  };
  const std::string alike = Portal{.turning = false, .alike = true}.text();
  EXPECT_FALSE(refused(alike));
  EXPECT_TRUE(refused(Portal{.turning = false}.text()));
  EXPECT_TRUE(refused(Portal{.alike = true}.text()));
  std::string late = alike;
  late.replace(late.rfind("0.05 s"), 6, "0.06 s");
  EXPECT_TRUE(refused(late));
  std::string still = alike;
  still.resize(still.rfind("    - {nodes: [d]"));
  EXPECT_TRUE(refused(still));
}

// A shake table gives the specimen its support's acceleration: what it answers holds the
// inertia of that, and the whole is the same.
void compare_with_table(bool heavy) {
  const config::Test test = read_test(Portal{.turning = false}.text());
  structure::ExperimentalPart shaken = part(false, heavy);
  shaken.base_moves = true;
  const auto table = composition::make_numerical(test, one(shaken), nullptr);
  const auto floor = composition::make_numerical(test, one(part(false, heavy)), nullptr);
  const double felt = kMass + (heavy ? kHeavy * kLength / 2.0 : 0.0);
  const double turned = heavy ? kHeavy * kLength * kLength / 12.0 : 0.0;
  std::vector<SiteTarget> requests{{InterfaceMotion::zero(kDofs), {}, {}}};
  std::vector<SiteResponse> answers{
      {InterfaceVector::Zero(kDofs), InterfaceVector::Zero(kDofs)}};
  // Straight lines between the samples of the record.
  const auto record = [](double t) {
    const double times[] = {0.0, 0.1, 0.25, 0.4, 0.6};
    const double values[] = {0.0, 3.0, -4.0, 2.0, 0.0};
    for (int i = 0; i < 4; ++i)
      if (t >= times[i] && t <= times[i + 1])
        return values[i] +
               (values[i + 1] - values[i]) * (t - times[i]) / (times[i + 1] - times[i]);
    return 0.0;
  };
  double peak = 0.0;
  double off = 0.0;
  table->correct(-1, answers);
  floor->correct(-1, answers);
  for (std::int64_t k = 0; k < floor->steps(); ++k) {
    const double t = static_cast<double>(k) * test.time_step();
    floor->predict(k, requests);
    answers[0].force = column_stiffness() * requests[0].target.displacement;
    ASSERT_TRUE(floor->correct(k, answers));
    table->predict(k, requests);
    answers[0].force = column_stiffness() * requests[0].target.displacement;
    answers[0].force[0] += felt * record(t);
    answers[0].force[1] += felt * 0.3 * record(t - 0.05);
    answers[0].force[2] += turned * record(t);
    ASSERT_TRUE(table->correct(k, answers));
    const std::vector<double> one_row = recorded(*floor);
    const std::vector<double> other = recorded(*table);
    for (std::size_t i = 0; i < one_row.size(); ++i) {
      if (floor->channels()[i].name.find(".disp_") == std::string::npos) continue;
      peak = std::max(peak, std::abs(one_row[i]));
      off = std::max(off, std::abs(one_row[i] - other[i]));
    }
  }
  EXPECT_GT(peak, 1e-3);
  EXPECT_LT(off, 1e-9 * peak);
}

TEST(MovingBases, MayGiveTheSpecimenTheirAcceleration) {
  compare_with_table(false);
}

TEST(MovingBases, MayGiveASpecimenWithMassBetweenItsEndsTheirAcceleration) {
  compare_with_table(true);
}

}  // namespace
}  // namespace trestle::substructure::moving_bases_test
