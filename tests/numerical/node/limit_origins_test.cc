// Where the limits that hold at a site are written.
#include "numerical/node/limit_origins.h"

#include <gtest/gtest.h>

#include "tests/numerical/node/session_fakes.h"

namespace trestle::integrator_node::limit_origins_test {
namespace {

class LimitOrigins : public ::testing::Test {
 protected:
  LimitOrigins() {
    test_.name = "west";
    test_.limits.resize(2);
    test_.limits[0].displacement = 0.06;
    test_.limits[0].force = 300e3;
    test_.limits[1].rate = 0.4;
    test_.limit_place = [](const std::string& field) {
      return field == "actuators[0].displacement" ? "a folder/frame.yaml:31:7"
             : field == "actuators[1].rate"       ? "frame.yaml:33"
             : field == "actuators[0].force"      ? "frame.yaml:32:7"
                                                  : "";
    };
    agreed_ = test_.limits;
  }
  std::string origins() {
    SitePeer peer(0, test_, transport_, false);
    peer.agreement.limits = agreed_;
    peer.agreement.tightened_limits = told_;
    return limit_origins(peer);
  }

  SiteSpecification test_;
  RigLimits agreed_;
  std::vector<std::string> told_;
  testing::ScriptedTransport transport_;
};

TEST_F(LimitOrigins, OfTheTestAreFileAndLine) {
  EXPECT_EQ(origins(),
            "actuators[0].displacement: frame.yaml:31\n"
            "actuators[0].force: frame.yaml:32\n"
            "actuators[1].rate: frame.yaml:33\n");
}

TEST_F(LimitOrigins, OfTheSiteAreAsItTellsThem) {
  agreed_[0].force = 250e3;
  agreed_[1].tracking_error = 1e-3;
  told_ = {"actuator 1 force 250 kN (/etc/lab/site_west.yaml:12:5)",
           "actuator 2 tracking error 1 mm (site_west.yaml:18)",
           "floor.x displacement 60 mm (site_west.yaml:4)"};
  EXPECT_EQ(origins(),
            "actuators[0].displacement: frame.yaml:31\n"
            "actuators[0].force: site_west.yaml:12\n"
            "actuators[1].rate: frame.yaml:33\n"
            "actuators[1].tracking_error: site_west.yaml:18\n");
}

/// A site that does not say where its tighter limit is written must not be taken for the
/// test's line.
TEST_F(LimitOrigins, AreLeftOutWhereNobodyKnowsThem) {
  agreed_[0].force = 250e3;
  agreed_[1].acceleration = 5.0;
  told_ = {"actuator 1 force 250 kN"};
  test_.limit_place = {};
  EXPECT_EQ(origins(), "");
  test_.limit_place = [](const std::string& /*field*/) {
    return "frame.yaml:1";
  };
  EXPECT_EQ(origins(),
            "actuators[0].displacement: frame.yaml:1\n"
            "actuators[1].rate: frame.yaml:1\n");
}

}  // namespace
}  // namespace trestle::integrator_node::limit_origins_test
