// A person's message to all, with the real program.
#include <csignal>
#include <string>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

class CliSay : public ProgramTestCase {};

TEST_F(CliSay, NeedsATestThatIsUnderWayAndAText) {
  const Ended nowhere = trestle({"say", "nowhere", "hello"});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_NE(nowhere.err.find("there is no folder nowhere"), std::string::npos);
  EXPECT_EQ(trestle({"say", "nowhere"}).code, 2);
  Program west({"site", example("site_west.yaml"), "--set",
                "listen=ipc://" + path("west.ipc"), "--out", "west-records"},
               folder());
  ASSERT_TRUE(west.says("listens at"));
  const Ended idle = trestle({"say", "west-records", "hello", "--as", "ada"});
  EXPECT_EQ(idle.code, 3);
  EXPECT_NE(idle.err.find("no test is under way at this site"), std::string::npos)
      << idle.err;
  const Ended wordy = trestle({"say", "west-records", std::string(301, 'x')});
  EXPECT_EQ(wordy.code, 2);
  EXPECT_NE(wordy.err.find("301 bytes; it takes 1 to 300"), std::string::npos);
  west.signal(SIGKILL);
  west.exit_code();
  EXPECT_EQ(trestle({"say", "west-records", "hello"}).code, 4);
}

}  // namespace
}  // namespace trestle::cli
