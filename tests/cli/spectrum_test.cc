// `trestle spectrum`: what it prints and writes, and what it refuses.
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

class CliSpectrum : public ProgramTestCase {
 protected:
  /// 1 m/s² for 4 s from rest: undamped, Sd is 2/ω² and PSa 2 m/s².
  void SetUp() override { write("step.csv", "t,a\n0,1\n2,1\n4,1\n"); }
};

TEST_F(CliSpectrum, PrintsDrawsAndTabulatesWhatARecordAsksOfAStructure) {
  const Ended ended = trestle({"spectrum", "step.csv", "--unit", "m/s2", "--damping", "0",
                               "--damping", "5 %", "--period", "0.5 s", "--period",
                               "1000 ms", "--csv", "s.csv", "--svg", "s.svg", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto record = nlohmann::json::parse(ended.out).at(0);
  EXPECT_EQ(record.at("record"), "step");
  EXPECT_EQ(record.at("peak_ground_acceleration_m_s2"), 1.0);
  EXPECT_NEAR(record.at("spectra").at(0).at("psa_m_s2").at(1).get<double>(), 2.0, 1e-9);
  EXPECT_EQ(record.at("spectra").at(1).at("damping"), 0.05);
  const std::string table = read("s.csv");
  EXPECT_TRUE(
      table.starts_with("period_s,step.damping_0.sd_m,step.damping_0.psv_m_s,"
                        "step.damping_0.psa_m_s2,step.damping_0.05.sd_m,"))
      << table;
  EXPECT_NE(read("s.svg").find("PSa [g]"), std::string::npos);
  const Ended scaled = trestle({"spectrum", "step.csv", "--unit", "g", "--scale", "0.5",
                                "--damping", "0", "--period", "1 s"});
  EXPECT_NE(scaled.out.find("largest PSa 9.807 m/s2 (1 g) at 1 s"), std::string::npos)
      << scaled.out;
}

TEST_F(CliSpectrum, RefusesWhatCannotBeMeant) {
  std::filesystem::create_directory(path("other"));
  write("other/step.csv", "0,1\n1,2\n");
  for (const auto& [words, sentence] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"none.csv"}, "none.csv: there is no such file"},
           {{"step.csv", "--damping", "150 %"}, "--damping: 150 % is not below critical"},
           {{"step.csv", "--damping", "-1 %"}, "--damping: -1 % is not below critical"},
           {{"step.csv", "--period", "5 mm"}, "--period: is given in mm; must be a time"},
           {{"step.csv", "--period", "0 s"}, "--period: 0 s is not within 1 ms to 1000 s"},
           {{"step.csv", "--unit", "kN"}, "must be an acceleration"},
           {{"step.csv", "other/step.csv"}, "would have the same columns"},
           {{"step.csv", "--svg", "no/such/folder.svg"}, "no/such"}}) {
    std::vector<std::string> all{"spectrum"};
    all.insert(all.end(), words.begin(), words.end());
    const Ended ended = trestle(all);
    EXPECT_EQ(ended.code, 2) << ended.out;
    EXPECT_NE(ended.err.find(sentence), std::string::npos) << ended.err;
  }
}

}  // namespace
}  // namespace trestle::cli
