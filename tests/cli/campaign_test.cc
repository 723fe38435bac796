#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

using Words = std::vector<std::string>;

class CliCampaign : public ProgramTestCase {
 protected:
  Words study(const std::string& out, const Words& more = {}) const {
    return Words{"campaign", example("study.yaml"), "--out", out} + kShort + more;
  }
};

TEST_F(CliCampaign, RunsTheShippedStudyToTheSameBytesOnAnyNumberOfThreads) {
  const Ended ended = trestle(study("a", {"--jobs", "1"}));
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("COMPLETE   40 runs: "), std::string::npos) << ended.out;
  const Ended json = trestle(study("b", {"--jobs", "3", "--json"}));
  ASSERT_EQ(json.code, 0) << json.err;
  EXPECT_EQ(json.err, "");
  EXPECT_EQ(json.out, read("b/summary.json"));
  for (const char* file : {"/results.csv", "/results.h5", "/results.mat", "/summary.json"})
    EXPECT_EQ(read(std::string("a") + file), read(std::string("b") + file)) << file;
  EXPECT_EQ(nlohmann::json::parse(json.out).at("runs"), 40);
}

TEST_F(CliCampaign, GoesOnAfterItWasKilledWithoutRepeatingARun) {
  ASSERT_EQ(trestle(study("whole", {"--runs", "60"})).code, 0);
  {
    Program killed(study("parts", {"--runs", "100000"}), folder());
    ASSERT_TRUE(killed.says("RUNNING")) << killed.err();
    killed.signal(SIGKILL);
    EXPECT_EQ(killed.exit_code(), 128 + SIGKILL);
  }
  {
    Program stopped(study("parts", {"--runs", "100000"}), folder());
    ASSERT_TRUE(stopped.says("RUNNING")) << stopped.err();
    stopped.signal(SIGINT);
    EXPECT_EQ(stopped.exit_code(), 3) << stopped.err();
    EXPECT_NE(stopped.err().find("start it again to go on"), std::string::npos);
  }
  const Ended ended = trestle(study("parts", {"--runs", "60"}));
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(read("whole/results.csv"), read("parts/results.csv"));
}

TEST_F(CliCampaign, RefusesToGoOnWithAnotherStudy) {
  ASSERT_EQ(trestle(study("a", {"--runs", "2"})).code, 0);
  const Ended ended = trestle(study("a", {"--runs", "2", "--set", "seed=8"}));
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("holds runs of another campaign (the test is another)"),
            std::string::npos)
      << ended.err;
}

TEST_F(CliCampaign, RepeatsAnyRunAloneToTheLastBit) {
  ASSERT_EQ(trestle(study("a", {"--runs", "3"})).code, 0);
  const Ended alone = trestle(study("a", {"--runs", "3", "--run", "2"}));
  ASSERT_EQ(alone.code, 0) << alone.err;
  const std::size_t from = alone.out.find("trestle run a/effective.yaml --set 'sites.west");
  EXPECT_NE(from, std::string::npos) << alone.out;
  EXPECT_TRUE(exists("a/run-2/journal.db"));
  const auto summary = nlohmann::json::parse(read("a/run-2/summary.json"));
  const std::string csv = read("a/results.csv");
  const std::string row = csv.substr(csv.find("\n2,1,"));
  for (const auto& site : summary.at("sites"))
    for (const auto& actuator : site.at("tracking"))
      // JSON and CSV both write the shortest number that reads back as the same.
      EXPECT_NE(
          row.substr(0, row.find('\n', 1)).find("," + actuator.at("nrmse").dump() + ","),
          std::string::npos)
          << actuator << row;
  const Ended none = trestle(study("a", {"--run", "41"}));
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.err, "there is no run 41; this study has 0 (nominal) to 40\n");
}

TEST_F(CliCampaign, MergesSharesToTheBytesOfOneProcess) {
  ASSERT_EQ(trestle(study("a", {"--runs", "9", "--jobs", "1"})).code, 0);
  for (const char* share : {"1/2", "2/3"})
    ASSERT_EQ(trestle(study("b", {"--runs", "9", "--share", share})).code, 0);
  EXPECT_FALSE(exists("b/campaign.db"));
  EXPECT_FALSE(exists("b/results.csv"));
  const Words merge = Words{"campaign", "merge", example("study.yaml"), "--out", "b"} +
                      kShort + Words{"--runs", "9"};
  const Ended incomplete = trestle(merge);
  EXPECT_EQ(incomplete.code, 3);
  // Shares 1/2 and 2/3 have 1, 3, 5, 7, 9 and 2, 5, 8.
  EXPECT_NE(incomplete.err.find("2 of 9 runs are missing after 2 shares: 4, 6;"),
            std::string::npos)
      << incomplete.err;
  ASSERT_EQ(trestle(study("b", {"--runs", "9", "--share", "2/2"})).code, 0);
  const Ended merged = trestle(merge);
  ASSERT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(merged.out.find("COMPLETE   9 runs"), 0u) << merged.out;
  for (const char* file : {"/results.csv", "/results.h5", "/results.mat", "/summary.json"})
    EXPECT_EQ(read(std::string("a") + file), read(std::string("b") + file)) << file;
  const Ended status = trestle(study("b", {"--runs", "9", "--status"}));
  EXPECT_EQ(status.code, 0) << status.err;
  EXPECT_EQ(status.out.find("share-1-of-2       complete   5 / 5 runs"), 0u) << status.out;
  // Share 2/3 has three runs that the shares of two have, too.
  EXPECT_NE(status.out.find("all                9 / 9 runs"), std::string::npos)
      << status.out;
  const Ended other = trestle(study("b", {"--share", "1/2", "--set", "seed=8"}));
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("holds runs of another campaign"), std::string::npos)
      << other.err;
  const Ended beside = trestle(study("b", {"--share", "1/5", "--set", "seed=8"}));
  EXPECT_EQ(beside.code, 2);
  EXPECT_NE(beside.err.find("holds shares of a campaign with another test"),
            std::string::npos)
      << beside.err;
}

TEST_F(CliCampaign, RefusesToRunTheWholeInEachTaskOfAJobStep) {
  setenv("SLURM_STEP_NUM_TASKS", "2", 1);
  const Ended whole = trestle(study("a", {"--runs", "2"}));
  const Ended share = trestle(study("a", {"--runs", "2", "--share", "1/2"}));
  unsetenv("SLURM_STEP_NUM_TASKS");
  EXPECT_EQ(whole.code, 2);
  EXPECT_NE(whole.err.find("this job step has 2 tasks"), std::string::npos) << whole.err;
  EXPECT_EQ(share.code, 0) << share.err;
}

// No Slurm is here: the script runs as a task of an array would, with a scontrol that only
// writes down what it was asked.
TEST_F(CliCampaign, PrintsAJobScriptThatDoesItsShare) {
  const Ended printed =
      trestle(study("out dir", {"--runs", "4", "--slurm", "nodes=2,tasks=1,time=2h"}));
  ASSERT_EQ(printed.code, 0) << printed.err;
  write("job.sh", printed.out);
  ASSERT_EQ(std::system(("bash -n '" + path("job.sh") + "'").c_str()), 0);
  EXPECT_NE(printed.out.find("#SBATCH --array=1-2\n"), std::string::npos);
  EXPECT_NE(printed.out.find("#SBATCH --time=02:00:00\n"), std::string::npos);
  std::filesystem::create_directory(path("bin"));
  write("bin/scontrol", "#!/bin/bash\necho \"$@\" >> '" + path("asked") + "'\n");
  const auto task = [&](const std::string& number) {
    return std::system(("cd '" + folder() + "' && chmod +x bin/scontrol && PATH='" +
                        path("bin") +
                        "':$PATH SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=" + number +
                        " SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=2 "
                        "SLURM_ARRAY_TASK_COUNT=2 bash job.sh > /dev/null 2>&1")
                           .c_str());
  };
  EXPECT_EQ(task("1"), 0);
  EXPECT_EQ(task("2"), 0);
  EXPECT_FALSE(exists("asked"));
  EXPECT_EQ(trestle(Words{"campaign", "merge", example("study.yaml"), "--out", "out dir",
                          "--runs", "4"} +
                    kShort)
                .code,
            0);
}

TEST_F(CliCampaign, RunsOnePointForAnotherProgram) {
  const std::string file = edited("seed: 7", "seed: 7");
  write("study.yaml", "study: point\ntest: " + file +
                          "\nruns: 2\nresults: ['sites.*.nrmse']\nparameters:\n"
                          "  mass: {paths: [\"numerical.frame.floors[0].mass\"], factor: "
                          "{kind: normal, sd: "
                          "0.1}}\n");
  write("params.in", "1\nmass 0.9\n");
  const Words point = Words{"campaign",  "point",     "study.yaml", "--values",
                            "params.in", "--results", "results.out"} +
                      kShort;
  const Ended ended = trestle(point);
  ASSERT_EQ(ended.code, 0) << ended.err;
  const std::string results = read("results.out");
  EXPECT_GT(std::atof(results.c_str()), 0.0) << results;
  write("params.in", "mass -1\n");
  ASSERT_EQ(trestle(point).code, 0);
  EXPECT_EQ(read("results.out"), "FAIL\n");
  ASSERT_EQ(trestle(point + Words{"--unstable-value", "1e6"}).code, 0);
  EXPECT_EQ(read("results.out").substr(0, 6), "1e+06\n");
  write("params.in", "mas 1\n");
  const Ended wrong = trestle(point);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("did you mean `mass`?"), std::string::npos) << wrong.err;
}

TEST_F(CliCampaign, RunsValuesThatWereDrawnElsewhere) {
  const std::string file = edited("seed: 7", "seed: 7");
  write("study.yaml", "study: samples\ntest: " + file +
                          "\nruns: 9\nparameters:\n"
                          "  mass: {paths: [\"numerical.frame.floors[0].mass\"], factor: "
                          "{kind: normal, sd: "
                          "0.1}}\n");
  write("samples.csv", "mass\n0.9\n1.125\n");
  const Ended ended = trestle(
      Words{"campaign", "study.yaml", "--out", "a", "--design", "samples.csv"} + kShort);
  ASSERT_EQ(ended.code, 0) << ended.err;
  const std::string csv = read("a/results.csv");
  EXPECT_NE(csv.find("\n1,1,0.9,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\n2,1,1.125,"), std::string::npos) << csv;
  write("samples.csv", "mass\n0.9\n1.126\n");
  const Ended other = trestle(
      Words{"campaign", "study.yaml", "--out", "a", "--design", "samples.csv"} + kShort);
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("the file of samples is another"), std::string::npos)
      << other.err;
}

TEST_F(CliCampaign, FindsWhatDecidesTheResults) {
  const std::string file = edited("seed: 7", "seed: 7");
  write("study.yaml",
        "study: effects\ntest: " + file +
            "\ndesign: {kind: morris, trajectories: 3}\n"
            "parameters:\n"
            "  mass: {paths: [\"numerical.frame.floors[0].mass\"], factor: {kind: normal, "
            "sd: "
            "0.1}}\n"
            "  none: {paths: [seed], value: {kind: uniform, low: 7, high: 7.4}}\n");
  const Ended ended = trestle(Words{"campaign", "study.yaml", "--out", "a"} + kShort);
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out.find("COMPLETE   9 runs"), 0u) << ended.out;
  EXPECT_NE(ended.out.find("elementary effects mu, mu*, sigma, 3 trajectories"),
            std::string::npos)
      << ended.out;
  EXPECT_NE(read("a/sensitivity.csv").find(",none,3,0,0,0\n"), std::string::npos)
      << read("a/sensitivity.csv");
  EXPECT_EQ(nlohmann::json::parse(read("a/summary.json")).at("sensitivity").at("kind"),
            "morris");
}

// What the program adds to a test in its mind must not be in the effective test that it
// runs.
TEST_F(CliCampaign, RunsATestThatSaysNothingOfACompensator) {
  edited("    compensator: {kind: ats, expected_delay: 12 ms}\n", "");
  write("study.yaml",
        "study: plain\ntest: test.yaml\nruns: 2\nparameters:\n"
        "  mass: {paths: [\"numerical.frame.floors[0].mass\"], factor: {kind: normal, sd: "
        "0.1}}\n");
  const Ended ended =
      trestle(Words{"campaign", "study.yaml", "--out", "a", "--json"} + kShort);
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(nlohmann::json::parse(ended.out).at("impossible"), 0) << ended.out;
  EXPECT_EQ(trestle({"run", "a/effective.yaml", "--out", "b"}).code, 0);
}

TEST_F(CliCampaign, EndsWithTwoWhereNothingCouldBeRun) {
  edited("seed: 7", "seed: 7");
  write("study.yaml",
        "study: none\ntest: test.yaml\nruns: 3\nparameters:\n"
        "  mass: {paths: [\"numerical.frame.floors[0].mass\"], factor: {kind: uniform, "
        "low: -2, high: -1}}\n");
  const Ended ended = trestle(Words{"campaign", "study.yaml", "--out", "a"} + kShort);
  EXPECT_EQ(ended.code, 2) << ended.out;
  EXPECT_EQ(ended.out.find("IMPOSSIBLE 3 runs: 0 stable"), 0U) << ended.out;
  EXPECT_NE(ended.err.find("none of the 3 drawn runs could be run; run 1: "),
            std::string::npos)
      << ended.err;
}

/// It would wait without a limit for a person to arm the rig.
TEST_F(CliCampaign, RefusesARigThatNobodyArms) {
  write("test.yaml",
        "test: own rig\nmode: simulated\ntime_step: 1/1024 s\n"
        "excitation: {record: synthetic, synthetic: {duration: 1 s}}\n"
        "numerical:\n  shear_building: {storeys: {ground: {mass: 20 t}}}\n"
        "  integrator: explicit-newmark\n"
        "sites:\n  lab:\n    interface: [ground.x]\n"
        "    limits: {actuators: [{displacement: 100 mm, rate: 1 m/s, force: 300 kN}]}\n"
        "    adapter: {kind: plugin, file: " TRESTLE_TEST_PLUGINS
        "/misbehaving.so, settings: {stiffness: 2 kN/mm, real: 1}}\n"
        "    rig: {specimen: {kind: linear, stiffness: [[2e6]]}}\n");
  write("study.yaml",
        "study: own\ntest: test.yaml\nruns: 2\nparameters:\n"
        "  mass: {paths: numerical.shear_building.storeys.ground.mass, "
        "factor: {kind: normal, sd: 5 %}}\n");
  const std::string refusal =
      "site lab has its own rig, and in a study nobody arms it; give it a twin here: "
      "`twin: true`\n";
  for (const Words& command :
       {Words{"campaign", "study.yaml", "--out", "a"}, Words{"compare", "test.yaml"}}) {
    const Ended ended = trestle(command);
    EXPECT_EQ(ended.code, 2) << command[0] << ended.out;
    EXPECT_NE(ended.err.find(refusal), std::string::npos) << command[0] << ended.err;
  }
  EXPECT_FALSE(exists("a"));
  const Ended twin = trestle({"compare", "test.yaml", "--set", "sites.lab.twin=true"});
  EXPECT_EQ(twin.code, 0) << twin.err;
  const Ended emulated = trestle({"compare", "test.yaml", "--set", "sites.lab.twin=true",
                                  "--set", "sites.lab.as_real_equipment=true"});
  EXPECT_EQ(emulated.code, 2);
  EXPECT_NE(emulated.err.find("site lab stands for real equipment, and in a study nobody "
                              "arms it; leave as_real_equipment out"),
            std::string::npos)
      << emulated.err;
}

TEST_F(CliCampaign, ComparesTestsInOneTable) {
  // Columns that stay elastic feed the growth that yielding ones bound.
  std::string file =
      edited("compensator: {kind: ats, expected_delay: 12 ms}", "compensator: none");
  std::string text = read(file);
  text.replace(text.find("yield_moment: 30 kN.m"), 21, "yield_moment: 180 kN.m");
  write(file, text);
  const Words files{"compare", example("test.yaml"), file, "--markdown"};
  const Ended ended = trestle(files);
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out.find("| result |"), 0u) << ended.out;
  EXPECT_NE(ended.out.find("| outcome | stable | unstable at "), std::string::npos)
      << ended.out;
  EXPECT_EQ(trestle(files + Words{"--out", "table.md"}).out, "");
  EXPECT_EQ(read("table.md").find("| result |"), 0u);
  const Ended json = trestle(Words{"compare", example("test.yaml"), "--json"} + kShort);
  EXPECT_EQ(nlohmann::json::parse(json.out).at("tests").size(), 1u);
}

TEST_F(CliCampaign, ExportsARecordToMatlab) {
  ASSERT_EQ(trestle(Words{"run", example("test.yaml"), "--out", "run"} + kShort).code, 0);
  const Ended ended = trestle({"export", "run", "--mat", "run.mat", "--ticks"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(read("run.mat").find("MATLAB 5.0 MAT-file"), 0u);
}

TEST_F(CliCampaign, GivesPythonTheSameNumbersAsMatlab) {
  if (std::system("/usr/bin/python3 -c 'import scipy.io' 2>/dev/null") != 0)
    GTEST_SKIP() << "there is no /usr/bin/python3 with scipy here";
  ASSERT_EQ(trestle(Words{"run", example("test.yaml"), "--out", "run"} + kShort).code, 0);
  ASSERT_EQ(trestle({"export", "run", "--mat", "run.mat", "--csv", "run.csv"}).code, 0);
  write("check.py",
        "import csv, scipy.io\n"
        "mat = scipy.io.loadmat('run.mat', squeeze_me=True, struct_as_record=False)\n"
        "names = {row[1]: row[0].split('.') for row in mat['names'] if "
        "row[0].startswith('result.')}\n"
        "rows = list(csv.DictReader(open('run.csv')))\n"
        "assert len(names) == len(rows[0]) and len(rows) > 500\n"
        "for name, (variable, field) in names.items():\n"
        "  column = getattr(mat[variable], field)\n"
        "  assert [float(row[name]) for row in rows] == list(column), name\n"
        "assert mat['meta'].test == 'two-site frame'\n");
  EXPECT_EQ(std::system(("cd '" + folder() + "' && /usr/bin/python3 check.py").c_str()), 0);
}

}  // namespace
}  // namespace trestle::cli
