// Commands at each iteration, against numbers of an independent program in total form: the
// residual at the trial motion, and the tangent's solution for its change, one storey.
#include "core/ports/specimen_model.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure::each_iteration_test {
namespace {

/// A storey of 20 t, bilinear, and a column in a laboratory that stiffens.
std::string storey(const std::string& integrator) {
  const std::string record =
      ::testing::TempDir() + "/each_iteration_" + std::to_string(::getpid()) + ".csv";
  std::ofstream(record) << "0, 0\n0.1, 3\n0.3, -5\n0.5, 4\n1, 0\n";
  return R"(
test: storey
time_step: 5 ms
duration: 1 s
numerical:
  integrator: )" +
         integrator + R"(
  shear_building:
    storeys: {roof: {mass: 20 t, law: {kind: bilinear, stiffness: 1.2 MN/m, yield_force: 12 kN, hardening: 0.1}}}
    damping: {rayleigh: {mass_factor: 0.4, stiffness_factor: 0}}
excitation: {record: )" +
         record + R"(}
)";
}

/// N of the column at x m; its declared stiffness is another.
double column(double x) {
  return 0.8e6 * x + 4e8 * x * x * x;
}

struct Anchor {
  std::string integrator;
  int commands;
  double at_50, at_100, at_200;  ///< [m] at the ends of these steps
  double first, second;          ///< commands of step 100 [m]
};

class EachIterationOfAStorey : public ::testing::TestWithParam<Anchor> {};

TEST_P(EachIterationOfAStorey, CommandsAndEndsWhereTheProgramSays) {
  const Anchor& anchor = GetParam();
  const structure::ExperimentalPart part{.site = "lab",
                                         .dofs = {"roof.x"},
                                         .stiffness = Eigen::MatrixXd::Constant(1, 1, 1e6),
                                         .damping = Eigen::MatrixXd::Zero(1, 1),
                                         .mass = Eigen::MatrixXd::Zero(1, 1)};
  const auto numerical = composition::make_numerical(
      testing::read_test(storey(anchor.integrator)),
      {.experimental = {part}, .undivided = {}, .reference = {}}, nullptr);
  std::vector<SiteTarget> requests{{InterfaceMotion::zero(1), {}, {}}};
  std::vector<SiteResponse> answers{{InterfaceVector::Zero(1), InterfaceVector::Zero(1)}};
  std::vector<double> row(numerical->channels().size());
  ASSERT_EQ(numerical->channels().front().name, "roof.x.disp_m");
  std::vector<double> ends;
  std::vector<double> commands;
  ASSERT_TRUE(numerical->correct(-1, answers));
  ASSERT_EQ(numerical->steps(), 200 * anchor.commands + 1);
  for (std::int64_t j = 0; j < numerical->steps(); ++j) {
    numerical->predict(j, requests);
    const double target = requests[0].target.displacement[0];
    commands.push_back(target);
    answers[0].measured[0] = target;
    answers[0].force[0] = column(target);
    ASSERT_TRUE(numerical->correct(j, answers));
    numerical->record(row);
    if (j % anchor.commands == 0) ends.push_back(row.front());
  }
  EXPECT_NEAR(ends[50], anchor.at_50, 1e-12);
  EXPECT_NEAR(ends[100], anchor.at_100, 1e-12);
  EXPECT_NEAR(ends[200], anchor.at_200, 1e-12);
  const auto of_step = static_cast<std::size_t>(99 * anchor.commands);
  EXPECT_NEAR(commands[of_step + 1], anchor.first, 1e-12);
  EXPECT_NEAR(commands[of_step + 2], anchor.second, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, EachIterationOfAStorey,
    ::testing::Values(
        Anchor{"{kind: implicit, sites: each-iteration}", 3, -0.02269192552894193,
               0.053278159814929046, 0.06447272074543521, 0.05407052987320436,
               0.05368768140441103},
        Anchor{
            "{kind: implicit, sites: each-iteration, iterations: 4, polynomial: 3, alpha: "
            "-0.1}",
            4, -0.022685566746373072, 0.05327070930031531, 0.06446035528301453,
            0.05415379628568617, 0.05387453911713646},
        Anchor{"{kind: implicit, sites: each-iteration, iterations: 5, polynomial: 1}", 5,
               -0.022691926125971703, 0.05327822894604756, 0.0644743816231353,
               0.05419638151699758, 0.05396664537656757}));

}  // namespace
}  // namespace trestle::substructure::each_iteration_test
