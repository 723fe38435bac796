#include "observe/report/run_page.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/journal/journal_file.h"
#include "core/types/record_names.h"
#include "observe/report/coefficient_figure.h"
#include "observe/report/comparison_page.h"
#include "observe/report/limit_use.h"
#include "observe/report/recorded_evaluation.h"
#include "observe/report/run_verdict.h"
#include "observe/report/structure_drawing.h"
#include "tests/core/journal/temporary_folder.h"
#include "tests/support/golden_page.h"

namespace trestle::report::run_page_test {
namespace {

namespace fs = std::filesystem;

using testing::TemporaryFolder;

constexpr const char* kGenerator = "trestle 0.1.0";
constexpr int kSteps = 2000;
constexpr double kStep = 0.01;
constexpr double kLate = 0.02;  // [s]

constexpr const char* kContract =
    "contract: trestle 1\nsite: west\nsite.real_equipment: no\nlatency_steps: 0\n"
    "ticks_per_step: 1\nseed: 7\ninterface[0].name: floor.x\nactuators[0].name: 1\n"
    "limits.actuators[0].displacement_m: 0.02\nlimits.actuators[0].rate_m_s: none\n"
    "limits.actuators[0].force_N: 5000\ncompensator: default\ncontroller: default\n";

/// The record of a run with one site: a tone that the rig follows late.
class SineRecord {
 public:
  explicit SineRecord(bool ended = true, const std::string& test = "sine") {
    journal::JournalFile journal(file("journal.db"));
    journal.set_meta(meta_key::kSession, "aa");
    journal.set_meta(meta_key::kTest, test);
    journal.set_meta(meta_key::kMode, "simulated");
    journal.set_meta(meta_key::kNode, kIntegratorNode);
    journal.set_meta(meta_key::kSites, "west");
    journal.set_meta(meta_key::kTimeStep, "0.01");
    journal.set_meta("steps_planned", "2000");
    journal.set_meta("contract.west", kContract);
    if (ended) journal.set_meta(meta_key::kEnded, "1795499727306812458");
    const int stream =
        journal.add_stream(stream_name::kResult, {{"west.floor.x.target_m", "m"},
                                                  {"west.floor.x.measured_m", "m"},
                                                  {"west.floor.x.force_N", "N"},
                                                  {"west.1.target_m", "m"},
                                                  {"west.1.command_m", "m"},
                                                  {"west.1.measured_m", "m"},
                                                  {"west.1.force_N", "N"},
                                                  {"floor.x.disp_m", "m"}});
    const int steps = ended ? kSteps : kSteps / 2;
    for (int k = 0; k < steps; ++k) {
      const double target = 0.015 * std::sin(10.0 * k * kStep);
      const double measured = 0.015 * std::sin(10.0 * (k * kStep - kLate));
      const double force = 3e5 * measured;
      const std::vector<double> row{target, measured, force, target,
                                    target, measured, force, target};
      journal.append(stream, RecordRow{k, row});
    }
    journal.add_event({TimePoint{}, "integrator", "state", "RUNNING"});
    journal.add_event({TimePoint(std::chrono::seconds(3)), "west", "fault",
                       "rate <script>alert(1)</script> 401 mm/s."});
    if (ended) journal.finish();
  }

  std::string path() const { return folder_.path(); }
  std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  TemporaryFolder folder_;
};

TEST(RunPage, SaysTheVerdictFirst) {
  const SineRecord record;
  const std::string page = run_page(RunData(record.path()), kGenerator);
  const std::size_t verdict = page.find("COMPLETE: all 2\u202f000 steps (20.00 s)");
  ASSERT_NE(verdict, std::string::npos);
  EXPECT_LT(verdict, page.find("<main>"));
  EXPECT_NE(page.find("the nearest limit was used to 90 % (west 1 force)"),
            std::string::npos);
  EXPECT_NE(page.find("content=\"trestle 0.1.0\""), std::string::npos);
}

TEST(RunPage, NeedsNothingFromOutside) {
  const SineRecord record;
  const std::string page = run_page(RunData(record.path()), kGenerator);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find(" src="), std::string::npos);
  EXPECT_EQ(page.find("@import"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;alert(1)"), std::string::npos);
  EXPECT_LT(page.size(), 3'000'000U);
}

TEST(RunPage, IsTheSameWhereverAndWheneverItIsMade) {
  const SineRecord record;
  const std::string page = run_page(RunData(record.path()), kGenerator);
  const TemporaryFolder other;
  const std::string copy = other.file("moved");
  fs::copy(record.path(), copy);
  ::setenv("TZ", "Asia/Tokyo", 1);  // NOLINT(concurrency-mt-unsafe)
  ::tzset();
  const std::string again = run_page(RunData(copy), kGenerator);
  ::unsetenv("TZ");  // NOLINT(concurrency-mt-unsafe)
  ::tzset();
  EXPECT_TRUE(page == again);
  EXPECT_EQ(page.find(record.path()), std::string::npos);
}

/// The contract of a site with real equipment and a load cell of this serial number.
std::string calibrated_contract(const std::string& serial) {
  std::string text = kContract;
  text.replace(text.find("real_equipment: no"), 18, "real_equipment: yes");
  return text + "site_states.calibration.1.force.sensor: LC-250\n" +
         "site_states.calibration.1.force.serial: " + serial + "\n" +
         "site_states.calibration.1.force.by: ada\n" +
         "site_states.calibration.1.force.due: 2026-10-30\n";
}

TEST(RunPage, ShowsCalibrationsAndWhatHasNone) {
  const SineRecord record;
  EXPECT_EQ(run_page(RunData(record.path()), kGenerator).find("Calibrations"),
            std::string::npos);
  {
    journal::JournalFile journal(record.file("journal.db"));
    journal.set_meta("contract.west", calibrated_contract("4711"));
    journal.set_meta("begun_utc_ns", "1795499727306812458");  // 2026-11-24
  }
  const std::string page = run_page(RunData(record.path()), kGenerator);
  EXPECT_NE(page.find("LC-250, serial 4711"), std::string::npos);
  EXPECT_NE(page.find("by ada"), std::string::npos);
  EXPECT_NE(page.find("2026-10-30, expired before the test"), std::string::npos);
  EXPECT_NE(page.find("of real equipment: west 1.displacement."), std::string::npos);
}

TEST(RunPage, NamesTheSpecimenAndTheComparisonAnother) {
  const SineRecord first;
  const SineRecord second;
  EXPECT_EQ(run_page(RunData(first.path()), kGenerator).find("Specimens"),
            std::string::npos);
  const auto state = [](const SineRecord& record, const std::string& id) {
    journal::JournalFile(record.file("journal.db"))
        .set_meta("contract.west", std::string(kContract) +
                                       "site_states.specimen.id: " + id +
                                       "\nsite_states.specimen.made: 2026-09-01\n"
                                       "site_states.specimen.by: the yard\n");
  };
  state(first, "C-07");
  const std::string page = run_page(RunData(first.path()), kGenerator);
  EXPECT_NE(page.find("Specimens"), std::string::npos);
  EXPECT_NE(page.find("C-07"), std::string::npos);
  EXPECT_NE(page.find("2026-09-01 by the yard"), std::string::npos);
  state(second, "C-08");
  EXPECT_NE(comparison_page(RunData(first.path()), RunData(second.path()), kGenerator)
                .find("west: id of the specimen is C-08, was C-07"),
            std::string::npos);
}

TEST(RunPage, TellsInCapitalsWhichLaboratoryTookNoPart) {
  const SineRecord record;
  EXPECT_EQ(run_page(RunData(record.path()), kGenerator).find("TWIN"), std::string::npos);
  journal::JournalFile(record.file("journal.db")).set_meta(meta_key::kTwins, "west,east");
  const std::string page = run_page(RunData(record.path()), kGenerator);
  for (const std::string site : {"west", "east"})
    EXPECT_NE(page.find("TWIN: site " + site +
                        " is simulated by its twin; its laboratory is not connected"),
              std::string::npos)
        << site;
}

TEST(ComparisonPage, NamesACalibrationThatChanged) {
  const SineRecord first;
  const SineRecord second;
  const auto calibrate = [](const SineRecord& record, const std::string& serial) {
    journal::JournalFile(record.file("journal.db"))
        .set_meta("contract.west", calibrated_contract(serial));
  };
  calibrate(first, "4711");
  calibrate(second, "4711");
  EXPECT_EQ(comparison_page(RunData(first.path()), RunData(second.path()), kGenerator)
                .find("Calibrations that changed"),
            std::string::npos);
  calibrate(second, "4712");
  EXPECT_NE(comparison_page(RunData(first.path()), RunData(second.path()), kGenerator)
                .find("west 1.force: serial is 4712, was 4711"),
            std::string::npos);
}

/// The file of the journal has other bytes with each version of SQLite; its rows have not.
std::string without_digests(std::string page, const RunData& run) {
  const std::string& digest = run.files.at(0).digest;
  for (const std::string& half : {digest.substr(0, 32), digest.substr(32)})
    for (std::size_t at = page.find(half); at != std::string::npos; at = page.find(half))
      page.replace(at, half.size(), "of this file");
  return page;
}

TEST(RunPage, LooksAsItDid) {
  const SineRecord record;
  std::ofstream(record.file("effective.yaml"))
      << "numerical: {frame: {nodes: {base: [0, 0], floor: [0, 3]}, members: [{from: base, "
         "to: floor}]}}\n";
  const RunData run(record.path());
  testing::expect_golden(without_digests(run_page(run, kGenerator), run),
                         "observe/report/golden/run.html");
}

TEST(RunPage, DrawsTheCoefficientsThatTheTicksHold) {
  const SineRecord record;
  const std::string heading = "Coefficients of the compensator";
  EXPECT_EQ(run_page(RunData(record.path()), kGenerator).find(heading), std::string::npos);
  {
    journal::JournalFile site(record.file("west.db"));
    site.set_meta(meta_key::kSession, "aa");
    site.set_meta(meta_key::kNode, "west");
    site.set_meta(meta_key::kTick, "0.01");
    const int stream = site.add_stream(stream_name::kTick, {{"west.1.target_m", "m"},
                                                            {"west.1.force_N", "N"},
                                                            {"west.oil_degC", "degC"},
                                                            {"west.1.a0", ""},
                                                            {"west.1.a1_s", "s"}});
    for (int k = 3; k < 20; k += 4)
      site.append(stream, RecordRow{k, std::vector<double>{0, 0, 40, 1.0 + k, 0.02}});
    site.finish();
  }
  const RunData run(record.path());
  EXPECT_EQ(recorded_coefficients(run.sites.at(0)), (Channels{{"a0", ""}, {"a1_s", "s"}}));
  const plot::Figure figure = coefficient_figure(run.sites.at(0), 0.2);
  ASSERT_EQ(figure.rows.size(), 1U);
  ASSERT_EQ(figure.rows[0].charts.size(), 2U);
  const auto& chart = std::get<plot::Chart>(figure.rows[0].charts[0]);
  EXPECT_EQ(chart.series.at(0).y, (std::vector<double>{4, 8, 12, 16, 20}));
  EXPECT_EQ(chart.series.at(0).x.at(1), 7 * 0.01);
  EXPECT_NE(run_page(run, kGenerator).find(heading), std::string::npos);
}

TEST(RunPage, ChangesNothingOfTheRecord) {
  const SineRecord record;
  const RunData before(record.path());
  run_page(before, kGenerator);
  const RunData after(record.path());
  ASSERT_EQ(before.files.size(), after.files.size());
  EXPECT_EQ(before.files[0].digest, after.files[0].digest);
  EXPECT_EQ(before.files[0].rows_digest, after.files[0].rows_digest);
}

TEST(RunPage, SaysOfACompleteRunWithoutASummaryThatItCameToItsEnd) {
  const SineRecord record;
  const std::string page = run_page(RunData(record.path()), kGenerator);
  EXPECT_NE(page.find("J2 tracking error"), std::string::npos);
  EXPECT_EQ(page.find("did not come to its end"), std::string::npos);
}

/// Its newest rows may be in the ring file that the killed process left.
TEST(RunPage, TellsOfARunThatWasKilledHowManyStepsWereDoneAtLeast) {
  const SineRecord record(false);
  const std::string page = run_page(RunData(record.path()), kGenerator);
  EXPECT_NE(page.find("UNFINISHED: at least 1\u202f000 of 2\u202f000 steps"),
            std::string::npos);
  EXPECT_NE(page.find("\u2265 10.00 s"), std::string::npos);
}

/// How often the words stand in the page.
std::size_t times(const std::string& page, const std::string& words) {
  std::size_t found = 0;
  for (std::size_t at = page.find(words); at != std::string::npos;
       at = page.find(words, at + 1))
    ++found;
  return found;
}

TEST(RunPage, SaysUntilWhichStepTheNumbersOfAnUnfinishedRunAre) {
  const SineRecord record(false);
  const std::string page = run_page(RunData(record.path()), kGenerator);
  EXPECT_EQ(times(page, "of the transfer system, until step 999<"), 1U);
  EXPECT_EQ(times(page, "root mean square of the target&#39;s, until step 999<"), 1U);
  EXPECT_EQ(times(page, "the transfer system alone, until step 999<"), 1U);
  EXPECT_EQ(times(page, ">west 1, until step 999</th>"), 1U);
  EXPECT_EQ(times(page, ">floor.x, until step 999</th>"), 1U);
  EXPECT_EQ(times(page, ">Synchronisation, until step 999</h3>"), 1U);
  EXPECT_EQ(times(page,
                  "The run did not come to its end: its criteria are those of a part "
                  "of it, until step 999."),
            1U);
  const SineRecord whole;
  EXPECT_EQ(times(run_page(RunData(whole.path()), kGenerator), "until step"), 0U);
}

TEST(RunPage, TakesTheStepFromTheSummaryOfAStoppedRun) {
  const SineRecord record(false);
  std::ofstream(record.file("summary.json"))
      << R"({"session":"aa","result":"stopped","steps_done":1000,"sites":[{"name":"west",)"
         R"("tracking":[{"actuator":"1","delay_s":0.02,"amplitude":1,"nrmse":0.2,)"
         R"("peak_error":0.2}]}],"criteria":{"stable":true,"until_step":998,"J2":[29.8],)"
         R"("of":{"actuators":["west 1"],"interface":[],"responses":[]}}})";
  const RunData run(record.path());
  ASSERT_TRUE(run.summary);
  const std::string page = run_page(run, kGenerator);
  EXPECT_EQ(times(page, ">west 1, until step 998</th>"), 1U);
  EXPECT_EQ(times(page, "until step 998"), 5U);
}

TEST(RunPage, CountsTheStepsOfARunThatCameToAnEndExactly) {
  const SineRecord record(false);
  journal::JournalFile(record.file("journal.db"))
      .set_meta(meta_key::kEnded, "1795499727306812458");
  const std::string page = run_page(RunData(record.path()), kGenerator);
  EXPECT_NE(page.find("UNFINISHED: 1\u202f000 of 2\u202f000 steps"), std::string::npos);
  EXPECT_EQ(page.find("\u2265 10.00 s"), std::string::npos);
}

/// An event of the integrator at step 500.
void add_event(const SineRecord& record, const std::string& kind, const std::string& text,
               const std::string& node = kIntegratorNode) {
  journal::JournalFile(record.file("journal.db"))
      .add_event({TimePoint(std::chrono::seconds(5)), node, kind, text});
}

TEST(RunVerdict, GivesNoReasonFromWhichTheTestWasResumed) {
  const SineRecord record(false);
  add_event(record, "state", "HOLDING: held by ada@lab: look at the grips");
  const std::string held = run_page(RunData(record.path()), kGenerator);
  EXPECT_NE(held.find("because held by ada@lab: look at the grips"), std::string::npos);
  add_event(record, "state", "RUNNING: resumed by ada@lab");
  const std::string resumed = run_page(RunData(record.path()), kGenerator);
  EXPECT_EQ(resumed.find("because"), std::string::npos);
  EXPECT_NE(resumed.find("the record does not say how the test ended"), std::string::npos);
  // The site's journal, by the steps of the site, told of the same fault a little later.
  add_event(record, "fault", "force 5.1 kN", "west");
  EXPECT_EQ(run_page(RunData(record.path()), kGenerator).find("because"),
            std::string::npos);
  add_event(record, "state", "HOLDING: west: force 5.2 kN");
  EXPECT_NE(run_page(RunData(record.path()), kGenerator).find("because west: force 5.2 kN"),
            std::string::npos);
}

/// The summary of a process that left the test held after 1000 steps.
void write_held_summary(const SineRecord& record, const std::string& reason,
                        const std::string& resumable = "true") {
  std::ofstream(record.file("summary.json"))
      << R"({"session":"aa","result":"held","reason":")" << reason << R"(","resumable":)"
      << resumable << R"(,"steps_done":1000,"sites":[],"criteria":{"stable":true}})";
}

TEST(RunVerdict, SaysThatAHeldTestCanBeResumed) {
  const SineRecord record(false);
  write_held_summary(record, "held by ada@lab: lunch");
  const std::string page = run_page(RunData(record.path()), kGenerator);
  EXPECT_NE(page.find("HELD: 1\u202f000 of 2\u202f000 steps"), std::string::npos);
  EXPECT_NE(page.find("because held by ada@lab: lunch"), std::string::npos);
  EXPECT_NE(page.find("The test is held and can be resumed: `trestle resume FOLDER`"),
            std::string::npos);
  EXPECT_EQ(page.find(record.path()), std::string::npos) << "the same bytes everywhere";
  const SineRecord whole;
  EXPECT_EQ(run_page(RunData(whole.path()), kGenerator).find("trestle resume"),
            std::string::npos);
}

TEST(RunVerdict, OffersNoResumeThatCannotBe) {
  const SineRecord record(false);
  write_held_summary(record, "west refused it. A resume sends the same target again");
  const std::string refused = run_page(RunData(record.path()), kGenerator);
  EXPECT_NE(refused.find("No resume continues it: a resume meets the same target"),
            std::string::npos);
  EXPECT_EQ(refused.find("trestle resume FOLDER"), std::string::npos);
  write_held_summary(record, "stopped", "false");
  EXPECT_EQ(run_page(RunData(record.path()), kGenerator).find("trestle resume FOLDER"),
            std::string::npos);
}

// Its process was killed before another step was done: the summary is the old one.
TEST(RunVerdict, DoesNotCallATestHeldThatWasResumed) {
  const SineRecord record(false);
  write_held_summary(record, "held by ada@lab: lunch");
  add_event(record, "state", "HOLDING: held by ada@lab: lunch");
  add_event(record, "state", "RUNNING: resumed by bob@lab");
  const std::string page = run_page(RunData(record.path()), kGenerator);
  EXPECT_EQ(page.find("HELD: "), std::string::npos);
  EXPECT_EQ(page.find("because"), std::string::npos);
  EXPECT_NE(page.find("UNFINISHED: "), std::string::npos);
  EXPECT_NE(page.find("If no process runs it any longer, it can be resumed"),
            std::string::npos);
}

/// The record of a run that failed before its first step.
class EmptyRecord {
 public:
  EmptyRecord() {
    journal::JournalFile journal(folder_.file("journal.db"));
    journal.set_meta(meta_key::kSession, "bb");
    journal.set_meta(meta_key::kTest, "none");
    journal.set_meta(meta_key::kNode, kIntegratorNode);
    journal.set_meta(meta_key::kTimeStep, "0.01");
    journal.add_stream(
        stream_name::kResult,
        {{"west.1.target_m", "m"}, {"west.1.measured_m", "m"}, {"floor.x.disp_m", "m"}});
    journal.add_event({TimePoint{}, "integrator", "fault", "west: the pump is off"});
    journal.finish();
  }
  std::string path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

TEST(RunVerdict, DoesNotCallARunWithoutAStepComplete) {
  const EmptyRecord record;
  const std::string page = run_page(RunData(record.path()), kGenerator);
  EXPECT_EQ(page.find("COMPLETE"), std::string::npos);
  EXPECT_NE(page.find("UNFINISHED: no step of \u201cnone\u201d was done, because "
                      "integrator: west: the pump is off"),
            std::string::npos);
  EXPECT_EQ(page.find("0 of 0"), std::string::npos);
}

TEST(StructureDrawing, ShowsAPlanarFrame) {
  const SineRecord record;
  const RunData run(record.path());
  EXPECT_NE(structure_drawing("numerical: {frame: {nodes: {base: [0, 0], floor: [0, 3]}, "
                              "members: [{from: base, to: floor}]}}",
                              run)
                .find("15 mm"),
            std::string::npos);
}

TEST(StructureDrawing, ShowsAFrameInSpaceObliquely) {
  const SineRecord record;
  const std::string drawing = structure_drawing(R"(
numerical:
  frame:
    nodes: {a: [0, 0, 0], b: [4, 0, 0], c: [0, 4, 0], floor: [0, 0, 3], d: [4, 0, 3], e: [0, 4, 3]}
    supports: [{nodes: [a, b, c], fixed: [all]}]
    members: [{from: a, to: floor}, {from: b, to: d}, {from: c, to: e}, {from: floor, to: d}, {from: floor, to: e}]
    rigid_links: [{master: floor, slaves: [d, e]}]
sites: {west: {interface: [floor.x], rig: {specimen: {height: 1}}}}
)",
                                                RunData(record.path()));
  EXPECT_NE(drawing.find("seen obliquely"), std::string::npos);
  EXPECT_EQ(drawing.find("not recorded"), std::string::npos) << "the floor moves d and e";
  EXPECT_NE(drawing.find("floor  x 15 mm"), std::string::npos) << drawing;
  EXPECT_EQ(drawing.find("NaN"), std::string::npos);
  // Five members at rest and displaced, and the specimen with its foot.
  std::size_t paths = 0;
  for (std::size_t at = drawing.find("<path"); at != std::string::npos;
       at = drawing.find("<path", at + 1))
    ++paths;
  EXPECT_EQ(paths, 12U);
}

TEST(RecordedEvaluation, FindsDelayAndErrorInTheRows) {
  const SineRecord record;
  const auto evaluation = evaluation_of(RunData(record.path()));
  const auto& tracking = evaluation.at("sites").at(0).at("tracking").at(0);
  EXPECT_NEAR(tracking.at("delay_s").get<double>(), kLate, 1e-4);
  EXPECT_NEAR(tracking.at("nrmse").get<double>(), 2.0 * std::sin(0.5 * 10.0 * kLate), 1e-3);
  // J1 pairs a target with the response to the step before it.
  EXPECT_NEAR(evaluation.at("criteria").at("J1").at(0).get<double>(), 30.0, 1e-9);
  EXPECT_NEAR(evaluation.at("peaks").at("floor.x").at("disp_m").get<double>(), 0.015, 1e-5);
}

TEST(LimitUse, FindsTheLargestValuesAndTheirLimits) {
  const SineRecord record;
  const RunData run(record.path());
  const std::vector<LimitUse> uses = limit_uses(run.sites.at(0), run);
  ASSERT_EQ(uses.size(), 5U);
  EXPECT_EQ(uses[0].quantity, "displacement");
  EXPECT_NEAR(uses[0].ratio(), 0.75, 1e-3);
  EXPECT_NEAR(uses[1].largest, 0.15, 5e-4);  // 10·0.015 m/s
  EXPECT_FALSE(uses[1].limit);
  const LimitUse* nearest = nearest_limit(uses);
  ASSERT_NE(nearest, nullptr);
  EXPECT_EQ(nearest->quantity, "force");
  EXPECT_NEAR(nearest->ratio(), 0.9, 1e-3);
}

TEST(LimitUse, ComparesTargetsWithTheLimitOfTheInterface) {
  const SineRecord record;
  journal::JournalFile(record.file("journal.db"))
      .set_meta("contract.west",
                std::string(kContract) + "interface[0].displacement_m: 0.0155\n");
  const RunData run(record.path());
  const std::vector<LimitUse> uses = limit_uses(run.sites.at(0), run);
  ASSERT_EQ(uses.size(), 6U);
  EXPECT_EQ(uses[0].axis, "floor.x");
  EXPECT_EQ(uses[0].quantity, kTargetDisplacement);
  EXPECT_NEAR(uses[0].ratio(), 0.015 / 0.0155, 1e-3);
  ASSERT_NE(nearest_limit(uses), nullptr);
  EXPECT_EQ(nearest_limit(uses)->axis, "floor.x");
  const std::string page = run_page(run, kGenerator);
  EXPECT_NE(page.find("used to 97 % (west floor.x target displacement)"),
            std::string::npos);
  EXPECT_NE(page.find(">floor.x target displacement</"), std::string::npos);
}

/// A site's own journal of a pseudo-dynamic test of four steps, in 127 ticks each; the
/// command is largest in the middle of the third.
void add_slow_ticks(const SineRecord& record, bool with_closing) {
  journal::JournalFile(record.file("journal.db"))
      .set_meta(meta_key::kMode, "pseudo-dynamic");
  journal::JournalFile site(record.file("west.db"));
  site.set_meta(meta_key::kSession, "aa");
  site.set_meta(meta_key::kNode, "west");
  site.set_meta(meta_key::kMode, "pseudo-dynamic");
  site.set_meta(meta_key::kTimeStep, "0.01");
  site.set_meta(meta_key::kTick, "0.01");
  constexpr int kTicks = 127;
  const int ticks =
      site.add_stream(stream_name::kTick, {{"west.1.command_m", "m"}, {"west.1.a0", ""}});
  for (int tick = 0; tick < 4 * kTicks; ++tick)
    site.append(ticks,
                RecordRow{tick, std::vector<double>{
                                    0.01 - 1e-6 * std::abs(tick - 2 * kTicks - 63), 1.0}});
  if (with_closing) {
    const int closing = site.add_stream(stream_name::kClosing, {{"west.ticks", ""}});
    for (int step = 0; step < 4; ++step)
      site.append(closing, RecordRow{step, std::vector<double>{1.0 * kTicks * (step + 1)}});
  }
  site.finish();
}

TEST(LimitUse, TellsWhenATickWasInTheTimeOfTheTest) {
  const SineRecord record;
  add_slow_ticks(record, true);
  const RunData run(record.path());
  const std::vector<LimitUse> uses = limit_uses(run.sites.at(0), run);
  ASSERT_EQ(uses.size(), 5U);
  EXPECT_NEAR(uses[0].time, 0.01 * (2.0 + 63.0 / 127.0), 1e-12);
  EXPECT_NEAR(uses[1].largest, 1e-6 / 0.01, 1e-9) << "by the clock of the rig";
  const plot::Figure figure = coefficient_figure(run.sites.at(0), 0.04);
  ASSERT_EQ(figure.rows.size(), 1U);
  const auto& chart = std::get<plot::Chart>(figure.rows[0].charts[0]);
  EXPECT_NEAR(chart.series.at(0).x.back(), 0.04, 1e-3);
}

TEST(LimitUse, TellsNoTimeThatTheRecordDoesNot) {
  const SineRecord record;
  add_slow_ticks(record, false);
  const RunData run(record.path());
  const std::vector<LimitUse> uses = limit_uses(run.sites.at(0), run);
  EXPECT_NEAR(uses.at(0).ratio(), 0.5, 1e-9);
  EXPECT_TRUE(std::isnan(uses.at(0).time));
  EXPECT_EQ(describe_use(uses.at(0)).find(" at "), std::string::npos);
  EXPECT_TRUE(coefficient_figure(run.sites.at(0), 0.04).rows.empty());
  const std::string page = run_page(run, kGenerator);
  for (const char* no_number : {">nan", " nan", "\"nan", ",nan"})
    EXPECT_EQ(page.find(no_number), std::string::npos) << no_number;
}

TEST(RunData, TakesNoSummaryOfAnotherRun) {
  const SineRecord record;
  std::ofstream(record.file("summary.json"))
      << R"({"session":"bb","steps_done":2000,"sites":[],"criteria":{}})";
  EXPECT_FALSE(RunData(record.path()).summary);
  std::ofstream(record.file("summary.json"))
      << R"({"session":"aa","steps_done":1999,"sites":[],"criteria":{}})";
  EXPECT_FALSE(RunData(record.path()).summary);
  std::ofstream(record.file("summary.json")) << "{ broken";
  EXPECT_FALSE(RunData(record.path()).summary);
}

TEST(ComparisonPage, LaysTwoRunsOverEachOther) {
  const SineRecord one;
  const SineRecord other(false, "cosine");
  const std::string page =
      comparison_page(RunData(one.path()), RunData(other.path()), kGenerator);
  EXPECT_NE(page.find("First, COMPLETE"), std::string::npos);
  EXPECT_NE(page.find("Second, UNFINISHED"), std::string::npos);
  EXPECT_NE(page.find("west.1, measured"), std::string::npos);
  EXPECT_NE(page.find("largest 0 mm"), std::string::npos);  // the difference
  EXPECT_NE(page.find("The second run did not come to its end"), std::string::npos);
  EXPECT_NE(page.find(">west 1, first</th>"), std::string::npos);
  EXPECT_NE(page.find(">west 1, second, until step 999</th>"), std::string::npos);
}

TEST(ComparisonPage, LeavesOutWhatNeitherRunHas) {
  const EmptyRecord one;
  const EmptyRecord other;
  const std::string page =
      comparison_page(RunData(one.path()), RunData(other.path()), kGenerator);
  for (const char* title :
       {"Responses of the structure", "Measured motions", "Hysteresis of the specimens"})
    EXPECT_EQ(page.find(title), std::string::npos) << title;
  EXPECT_EQ(page.find(">software<"), std::string::npos) << "neither record names one";
  EXPECT_NE(page.find("Provenance, first run</h2>"), std::string::npos);
  EXPECT_NE(page.find("Provenance, second run</h2>"), std::string::npos);
  const SineRecord whole;
  const SineRecord again;
  const std::string full =
      comparison_page(RunData(whole.path()), RunData(again.path()), kGenerator);
  for (const char* title :
       {"Responses of the structure", "Measured motions", "Hysteresis of the specimens"})
    EXPECT_NE(full.find(title), std::string::npos) << title;
}

TEST(ComparisonPage, LooksAsItDid) {
  const SineRecord one;
  const SineRecord other(false, "cosine");
  const RunData first(one.path());
  const RunData second(other.path());
  const std::string page = comparison_page(first, second, kGenerator);
  testing::expect_golden(without_digests(without_digests(page, first), second),
                         "observe/report/golden/comparison.html");
}

}  // namespace
}  // namespace trestle::report::run_page_test
