#include "composition/hybrid_test/gateway_factory.h"

#include <gtest/gtest.h>

#include "composition/numerical/damping_factory.h"
#include "core/base/setting_error.h"
#include "proto/config/gateway.pb.h"
#include "proto/config/matrix.pb.h"

namespace trestle::openfresco_server {
namespace {

const std::vector<InterfaceLayout> kOneSite{
    {{"tip.x", DofKind::kTranslation}, {"tip.rz", DofKind::kRotation}}};

config::Row row(double first, double second) {
  config::Row row;
  row.add_values(first);
  row.add_values(second);
  return row;
}

std::string complaint(const config::GatewayFile& file, const Eigen::MatrixXd& known = {}) {
  try {
    composition::make_gateway(file, kOneSite, known, false);
  } catch (const SettingError& error) {
    return error.what();
  }
  return {};
}

TEST(GatewayCatalog, TakesTheSpecimensStiffnessWhereNobodyStatesIt) {
  config::GatewayFile file;
  file.mutable_units()->set_length(0.001);
  file.mutable_units()->set_force(1000.0);
  Eigen::MatrixXd known(2, 2);
  known << 2e6, 3e5, 3e5, 5e4;
  const GatewaySettings settings = composition::make_gateway(file, kOneSite, known, false);
  // kN/mm, kN/rad; then kN mm/mm, kN mm/rad: column by column.
  EXPECT_DOUBLE_EQ(settings.initial_stiffness[0], 2.0);
  EXPECT_DOUBLE_EQ(settings.initial_stiffness[1], 300.0);
  EXPECT_DOUBLE_EQ(settings.initial_stiffness[2], 300.0);
  EXPECT_DOUBLE_EQ(settings.initial_stiffness[3], 5e4);
  EXPECT_EQ(settings.tangent_stiffness, settings.initial_stiffness);
  EXPECT_EQ(settings.mass, std::vector<double>(4, 0.0));
}

TEST(GatewayCatalog, SendsMatricesColumnByColumnAsTheyAreWritten) {
  config::GatewayFile file;
  *file.add_initial_stiffness() = row(1, 2);
  *file.add_initial_stiffness() = row(3, 4);
  *file.add_damping() = row(5, 6);
  *file.add_damping() = row(7, 8);
  const GatewaySettings settings = composition::make_gateway(file, kOneSite, {}, true);
  EXPECT_EQ(settings.initial_stiffness, (std::vector<double>{1, 3, 2, 4}));
  EXPECT_EQ(settings.damping, (std::vector<double>{5, 7, 6, 8}));
  EXPECT_EQ(settings.patience, std::chrono::seconds(60)) << "over UDP silence is all";
}

TEST(GatewayCatalog, SaysWhichMatrixIsMissingOrWrong) {
  EXPECT_NE(complaint({}).find("initial_stiffness"), std::string::npos);
  config::GatewayFile file;
  *file.add_initial_stiffness() = row(1, 2);
  EXPECT_NE(complaint(file).find("has 1 rows; the sites have 2"), std::string::npos);
  file.add_initial_stiffness()->add_values(3);
  EXPECT_NE(complaint(file).find("row 2 of initial_stiffness has 1 values"),
            std::string::npos);
}

}  // namespace
}  // namespace trestle::openfresco_server
