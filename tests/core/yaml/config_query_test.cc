#include "core/yaml/config_query.h"

#include <gtest/gtest.h>

#include "proto/config/options.pb.h"
#include "proto/config/test.pb.h"
#include "tests/core/yaml/config_files.h"

namespace {

using trestle::yaml::query_numbers;
using trestle::yaml::referenced_files;
using trestle::yaml::test::ConfigFiles;
using trestle::yaml::test::problems_in;
namespace config = trestle::config;
using Numbers = std::vector<double>;

const char* const kTest = R"(test: t
time_step: 1 ms
seed: 7
excitation: {record: motion.csv}
numerical: {matrices: {dofs: [a.x], mass: mass.csv, stiffness: {entries: [[1, 1, 5]]}}}
sites:
  bay:
    interface: [a.x]
    limits: {interface: {a.x: 60 mm}}
    compensator: {kind: ats, expected_delay: 12 ms}
    rig:
      transfer_matrix:
        kind: zpk
        entries:
          - {to: 1, from: 1, dc_gain: 1, zeros: [-7], poles: [[-1, 3], [-1, -3]]}
      specimen: {kind: linear, stiffness: [[2, 1], [1, 2]]}
)";

class NumericField : public testing::Test {
 protected:
  NumericField() {
    const ConfigFiles files;
    const std::string file = files.write("test.yaml", kTest);
    EXPECT_EQ(problems_in(files, file, test_), std::vector<std::string>{});
  }
  Numbers at(const std::string& path) const {
    const auto found = query_numbers(test_, path);
    EXPECT_TRUE(found) << path << ": " << (found ? "" : found.error().detail);
    return found ? found.value().values : Numbers{};
  }
  std::string wrong(const std::string& path) const {
    const auto found = query_numbers(test_, path);
    return found ? "" : found.error().detail;
  }

  config::Test test_;
};

TEST_F(NumericField, FollowsKeysIndicesAndKinds) {
  EXPECT_EQ(at("time_step"), Numbers{1e-3});
  EXPECT_EQ(at("sites.bay.compensator.expected_delay[0]"), Numbers{0.012});
  EXPECT_EQ(at("sites[0].compensator.expected_delay"), Numbers{0.012});
  EXPECT_EQ(at("sites.bay.rig.transfer_matrix.entries[0].dc_gain"), Numbers{1.0});
  EXPECT_EQ(at("sites.bay.rig.specimen.stiffness[1]"), (Numbers{1.0, 2.0}));
  EXPECT_EQ(at("sites.bay.limits.interface.a.x"), Numbers{0.06});
  EXPECT_EQ(query_numbers(test_, "sites.bay.limits.interface.a.x").value().dimension,
            config::MOTION);
}

TEST_F(NumericField, GivesBothPartsOfAComplexNumber) {
  EXPECT_EQ(at("sites.bay.rig.transfer_matrix.entries[0].poles[1]"), (Numbers{-1.0, -3.0}));
  EXPECT_EQ(at("sites.bay.rig.transfer_matrix.entries[0].zeros[0]"), (Numbers{-7.0, 0.0}));
  EXPECT_TRUE(query_numbers(test_, "sites.bay.rig.transfer_matrix.entries[0].zeros[0]")
                  .value()
                  .is_parts);
}

TEST_F(NumericField, TellsWholeNumbersAndThoseThatNobodyGave) {
  EXPECT_EQ(at("seed"), Numbers{7.0});
  EXPECT_TRUE(query_numbers(test_, "seed").value().is_whole);
  EXPECT_EQ(at("duration"), Numbers{});
}

TEST_F(NumericField, SaysWhereAPathEnds) {
  EXPECT_EQ(wrong("sites.bay.compensatr"),
            "has no key `compensatr`; did you mean `compensator`?");
  EXPECT_EQ(wrong("sites.west.rig"),
            "has no entry west in sites, which has 1, counted from 0");
  EXPECT_EQ(wrong("test"), "is a word; must be a number");
  EXPECT_EQ(wrong("sites"), "is a list; name one of its entries");
  EXPECT_EQ(wrong("sites.bay"), "is a mapping; name one of its numbers");
  EXPECT_EQ(wrong("deadlines.step"), "has no deadlines in the test; give it one there");
  EXPECT_EQ(wrong("time_step.x"), "goes on behind `time_step`, a single value");
  EXPECT_EQ(wrong("numerical.matrices.stiffness.entries[0]"),
            "is a list with whole numbers in it; name one of its values");
  EXPECT_EQ(wrong("sites..rig"), "cannot be read; must be a path, as sites.west.rig");
}

TEST_F(NumericField, FindsTheFilesOfATest) {
  const std::vector<std::string> files = referenced_files(test_);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_TRUE(files[0].ends_with("/motion.csv")) << files[0];
  EXPECT_TRUE(files[1].ends_with("/mass.csv")) << files[1];
  config::Test test = test_;
  test.mutable_excitation()->set_record("synthetic");
  EXPECT_EQ(referenced_files(test).size(), 1u);
}

}  // namespace
