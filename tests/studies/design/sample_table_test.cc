#include "studies/design/sample_table.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/core/journal/temporary_folder.h"

namespace trestle::design {
namespace {

class SampleTableFile : public ::testing::Test {
 protected:
  Result<SampleTable> read(const std::string& text) const {
    std::ofstream(file_) << text;
    return read_sample_table(file_, {"mass", "delay"});
  }
  /// Without the folder.
  std::string error_of(const std::string& text) const {
    const auto read_table = read(text);
    return read_table ? "none" : read_table.error().detail.substr(file_.size());
  }

 private:
  testing::TemporaryFolder folder_;
  std::string file_ = folder_.file("s.csv");
};

TEST_F(SampleTableFile, HasItsColumnsInTheOrderOfTheParameters) {
  const auto table =
      read("\xEF\xBB\xBFrun, \"delay [ms]\" ,mass\r\n\r\n1,2.5,-3\r\n2,1e-3,4\r\n");
  ASSERT_TRUE(table) << table.error().detail;
  EXPECT_EQ(table.value().units, (std::vector<std::string>{"", "ms"}));
  EXPECT_EQ(table.value().rows, (std::vector<std::vector<double>>{{-3, 2.5}, {4, 1e-3}}));
  EXPECT_TRUE(read("mass;delay\n1;2\n"));
}

TEST_F(SampleTableFile, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of("mass\n1\n"), ":1: has no column for the parameter `delay`");
  EXPECT_EQ(error_of("mass,delay,mass\n1,2,3\n"),
            ":1: the column `mass` stands there twice");
  EXPECT_EQ(error_of("mass,delay,run,run\n1,2,3,4\n"),
            ":1: the column run stands there twice");
  EXPECT_EQ(
      error_of("mass,delya,delay\n1,2,3\n"),
      ":1: the column `delya` is of no parameter of the study; did you mean `delay`?");
  EXPECT_EQ(error_of("mass,delay\n1,2\n\n1\n"), ":4: has 1 cells; the head has 2");
  EXPECT_EQ(error_of("mass,delay\n1,2 ms\n"),
            ":2: cell 2 is `2 ms`; must be a finite number without unit");
  EXPECT_EQ(error_of("mass,delay\n1,nan\n"),
            ":2: cell 2 is `nan`; must be a finite number without unit");
  EXPECT_EQ(error_of("run,mass,delay\n1,1,1\n3,1,1\n"),
            ":3: is of run 3; row n is run n, so 2 must stand here");
  EXPECT_EQ(error_of("mass,delay\n").find(": has no row of values"), 0u);
}

}  // namespace
}  // namespace trestle::design
