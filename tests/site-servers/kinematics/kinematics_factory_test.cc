#include "composition/sites/kinematics_factory.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "core/base/setting_error.h"
#include "proto/config/site.pb.h"

namespace trestle::kinematics {
namespace {

config::LoadingFrame message(const std::string& text) {
  config::LoadingFrame parsed;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &parsed)) << text;
  return parsed;
}

std::string problem(const std::string& text, int dofs) {
  try {
    composition::make_loading_frame(message(text), dofs, "f");
  } catch (const SettingError& error) {
    return error.what();
  }
  return "none";
}

const std::string kRows =
    "matrix {actuator_from_interface {values: [1, 0.4]}"
    "        actuator_from_interface {values: [1, -0.6]}}";

TEST(KinematicsCatalog, MakesEveryKind) {
  const auto identity = composition::make_loading_frame(message(""), 2, "f");
  EXPECT_EQ(identity->tangent(), Eigen::MatrixXd::Identity(2, 2));
  EXPECT_TRUE(identity->linear());
  const auto matrix = composition::make_loading_frame(message(kRows), 2, "f");
  EXPECT_EQ(matrix->tangent(), (Eigen::MatrixXd{{1.0, 0.4}, {1.0, -0.6}}));
  const auto coupler = composition::make_loading_frame(
      message("coupler {arm: 0.3 angle: 0.4 clockwise: true}"), 2, "f");
  EXPECT_FALSE(coupler->linear());
  EXPECT_NEAR(coupler->tangent()(0, 1), -0.3 * std::sin(0.4), 1e-16);
}

TEST(KinematicsCatalog, TellsWhatDoesNotFit) {
  EXPECT_EQ(problem(kRows, 3),
            "f.matrix.actuator_from_interface[0]: the row has 2 numbers; the site has 3 "
            "interface DOFs");
  EXPECT_EQ(problem("matrix {actuator_from_interface {values: [1, 2]}"
                    "        actuator_from_interface {values: [2, 4]}}",
                    2)
                .substr(0, 58),
            "f.matrix.actuator_from_interface: the matrix is singular: ");
  EXPECT_EQ(problem("coupler {arm: 0.3 angle: 0.4}", 3),
            "f.coupler: a coupler moves two interface DOFs, x and rz of its node; the site "
            "has 3");
  EXPECT_EQ(problem("coupler {arm: 0.3 angle: 1.8}", 2),
            "f.coupler.angle: the arms stand at 1.800000 rad; must be above zero and at "
            "most a right angle");
}

}  // namespace
}  // namespace trestle::kinematics
