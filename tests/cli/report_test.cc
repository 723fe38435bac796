#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

using Json = nlohmann::ordered_json;

/// `trestle report`, as a user calls it.
class CliReport : public ProgramTestCase {
 protected:
  std::string run_example(const std::string& name) {
    const Ended ended = trestle(
        std::vector<std::string>{"run", example("test.yaml"), "--out", name} + kShort);
    EXPECT_EQ(ended.code, 0) << ended.err;
    return name;
  }
};

TEST_F(CliReport, WritesOneFileIntoTheFolderOfTheRun) {
  run_example("run");
  const Ended ended = trestle({"report", "run"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("written to run/report.html"), std::string::npos) << ended.out;
  const std::string page = read("run/report.html");
  EXPECT_NE(page.find("COMPLETE: all"), std::string::npos);
  EXPECT_NE(page.find("Frame of the test at rest and displaced"), std::string::npos);
  for (const char* chapter :
       {"What was tested", "Site west", "Site east", "Criteria", "Audit", "Provenance"})
    EXPECT_NE(page.find(std::string(chapter) + "</h2>"), std::string::npos) << chapter;
}

TEST_F(CliReport, GivesTheSameBytesFromACopyInAnotherPlace) {
  run_example("run");
  ASSERT_EQ(trestle({"report", "run", "--out", "one.html"}).code, 0);
  std::filesystem::copy(path("run"), path("copy"));
  const Ended other = trestle({"report", "copy", "--out", "-"});
  EXPECT_EQ(other.code, 0) << other.err;
  EXPECT_TRUE(read("one.html") == other.out);
}

TEST_F(CliReport, ComputesFromTheRowsWhatTheSummarySaid) {
  run_example("run");
  const Json said = Json::parse(read("run/summary.json"));
  std::filesystem::remove(path("run/summary.json"));
  ASSERT_EQ(trestle({"report", "run"}).code, 0);
  const std::string page = read("run/report.html");
  // J2 of the first actuator, to the three digits of the page.
  char shown[64];
  std::snprintf(shown, sizeof shown, "J2 tracking error, rms [%%]</th><td>%.3g</td>",
                said.at("criteria").at("J2").at(0).get<double>());
  EXPECT_NE(page.find(shown), std::string::npos) << shown;
}

TEST_F(CliReport, LaysTwoRunsOverEachOther) {
  run_example("run");
  const Ended second =
      trestle(std::vector<std::string>{"run", example("test.yaml"), "--out", "other",
                                       "--set", "sites.west.compensator=none"} +
              kShort);
  ASSERT_EQ(second.code, 0) << second.err;
  const Ended ended = trestle({"report", "run", "other"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(read("run/comparison.html").find("second \u2212 first"), std::string::npos);
}

TEST_F(CliReport, SaysWhatIsWrongWithAFolder) {
  const Ended missing = trestle({"report", "nowhere"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_EQ(missing.err, "there is no folder nowhere\n");
  const Ended record = trestle({"report", run_example("run"), "--out", "run/summary.json"});
  EXPECT_EQ(record.code, 2);
  EXPECT_NE(record.err.find("part of a run's record"), std::string::npos) << record.err;
}

TEST_F(CliReport, OtherCommandsWriteTheirsToo) {
  const Ended compared =
      trestle(std::vector<std::string>{"compare", example("test.yaml"),
                                       example("test.yaml"), "--report", "methods.html"} +
              kShort);
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_NE(read("methods.html").find("All 2 tests came to their end"), std::string::npos);
  const Ended rehearsed = trestle(
      {"rehearse", example("test.yaml"), "--faults", "4", "--report", "rehearsal.html"});
  EXPECT_EQ(rehearsed.code, 0) << rehearsed.err;
  EXPECT_NE(read("rehearsal.html").find("KEPT: all promises were kept in 4 scenarios"),
            std::string::npos);
}

}  // namespace
}  // namespace trestle::cli
