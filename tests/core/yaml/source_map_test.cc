#include "core/yaml/source_map.h"

#include <gtest/gtest.h>

#include "core/yaml/yaml_reader.h"
#include "tests/core/yaml/config_files.h"

namespace {

using trestle::SettingError;
using trestle::yaml::SourceMap;
using trestle::yaml::UnitClass;
using trestle::yaml::test::ConfigFiles;

class SourceMapOfTheExample : public testing::Test {
 protected:
  SourceMapOfTheExample() {
    trestle::yaml::read_yaml(file_, {"deadlines.step=3 s"}, test_, where_);
  }

  std::string at(const std::string& path) const {
    const std::string location = where_.location(path);
    return location.starts_with(file_) ? location.substr(file_.size() + 1) : location;
  }

  ConfigFiles files_;
  std::string file_ = files_.write("test.yaml", trestle::yaml::test::kTwoSiteFrame);
  trestle::config::Test test_;
  SourceMap where_;
};

TEST_F(SourceMapOfTheExample, KnowsWhereValuesStood) {
  EXPECT_EQ(at("time_step"), "4:12");
  EXPECT_EQ(at("numerical.frame.supports"), "14:5");
  EXPECT_EQ(at("numerical.integrator"), "24:15");
  EXPECT_EQ(at("numerical.frame.members[2].section"), "19:47");
  EXPECT_EQ(at("sites[0].compensator.ats.expected_delay"), "31:46");
  EXPECT_EQ(at("sites[0].compensator.kind"), "31:25");
  EXPECT_EQ(at("deadlines.step"), "--set deadlines.step");
}

TEST_F(SourceMapOfTheExample, GoesToTheNearestAncestorOfWhatNobodyGave) {
  EXPECT_EQ(at("sites[0].compensator.ats.memory"), at("sites[0].compensator.ats"));
  EXPECT_EQ(at("numerical.frame.masses[3].mass"), at("numerical.frame"));
  EXPECT_EQ(at("undivided"), "2:1");
  EXPECT_EQ(at("no.such[2].path"), "2:1");
}

TEST_F(SourceMapOfTheExample, TakesNamesForIndices) {
  EXPECT_EQ(at("sites.west.compensator.ats.expected_delay"), "31:46");
  EXPECT_EQ(at("sites.west.limits.interface.rz"), at("sites[0].limits.interface[1]"));
  EXPECT_EQ(at("sites.east.interface[1]"), "38:28");
  EXPECT_EQ(at("sites.east.compensator.ats.expected_delay"), "31:46");
}

TEST_F(SourceMapOfTheExample, DoesNotAskForTheFieldOfAKind) {
  EXPECT_EQ(at("sites[0].compensator.expected_delay"), "31:46");
  EXPECT_EQ(at("sites.west.compensator.expected_delay"), "31:46");
  EXPECT_EQ(at("sites[0].rig.actuators[1].frequency"),
            at("sites[0].rig.actuators[1].second_order.frequency"));
  EXPECT_NE(at("sites[0].rig.actuators[1].frequency"), at("sites[0].rig.actuators[1]"));
  EXPECT_EQ(at("sites[0].compensator.memory"), at("sites[0].compensator"));
  EXPECT_EQ(at("sites[0].expected_delay"), at("sites[0]"));
}

TEST_F(SourceMapOfTheExample, RemembersWhichMotionAUnitBelongsTo) {
  EXPECT_EQ(where_.unit_class("sites[0].limits.interface[0].displacement"),
            UnitClass::kTranslation);
  EXPECT_EQ(where_.unit_class("sites.west.limits.interface.rz.displacement"),
            UnitClass::kRotation);
  EXPECT_EQ(where_.unit_class("sites[0].limits.actuators[1].force"), UnitClass::kRotation);
  EXPECT_EQ(where_.unit_class("time_step"), UnitClass::kNone);
  EXPECT_EQ(where_.unit_class("no.such.path"), UnitClass::kNone);
}

TEST_F(SourceMapOfTheExample, ExplainsWhatACatalogueRefuses) {
  const SettingError error(std::vector<trestle::SettingIssue>{
      {"numerical.integrator", "needs mass on every DOF"},
      {"numerical.frame.supports", "nothing holds y"}});
  EXPECT_EQ(where_.explain(error),
            (std::vector<std::string>{file_ + ":14:5: nothing holds y",
                                      file_ + ":24:15: needs mass on every DOF"}));
}

TEST(SourceMap, ThatIsEmptyExplainsWithThePath) {
  EXPECT_EQ(SourceMap().explain(SettingError("a.b", "is wrong")),
            std::vector<std::string>{"a.b: is wrong"});
  EXPECT_EQ(SourceMap().location("a.b"), "");
}

}  // namespace
