#include "studies/identification/identification_page.h"

#include <gtest/gtest.h>

#include "tests/support/golden_page.h"

namespace trestle::identification::identification_page_test {
namespace {

TEST(IdentificationPage, LooksAsItDid) {
  IdentificationStudy study;
  study.name = "lorry & <bridge>";
  IdentificationResult result;
  result.converged = true;
  result.iterations = 7;
  result.condition_number = 1234.5;
  result.misfit = 1.01;
  result.parameters = {{.name = "body mass",
                        .symbol = {},
                        .quantity = VehicleQuantity::kMass,
                        .guess = 9000.0,
                        .estimate = 10023.4,
                        .deviation = 51.2,
                        .bound = 48.9,
                        .identifiable = true,
                        .truth = 10000.0},
                       {.name = "tyre stiffness",
                        .symbol = {},
                        .quantity = VehicleQuantity::kMass,
                        .guess = 1e6,
                        .estimate = 1.5e6,
                        .deviation = 9e5,
                        .bound = 8e5,
                        .truth = {}}};
  FoundRoad road{.x = Eigen::VectorXd::LinSpaced(41, 0.0, 40.0),
                 .height = Eigen::VectorXd(41),
                 .deviation = Eigen::VectorXd::Constant(41, 2e-4),
                 .truth = {},
                 .error = {}};
  for (int i = 0; i < 41; ++i) road.height(i) = 1e-3 * (i % 5) - 2e-3;
  road.truth = road.height * 0.75;
  result.road = road;
  const std::string page = identification_page(study, result, "trestle 0.1.0");
  EXPECT_EQ(page.find("<bridge>"), std::string::npos) << "a name is no markup";
  testing::expect_golden(page, "studies/pages/golden/identification.html");
}

}  // namespace
}  // namespace trestle::identification::identification_page_test
