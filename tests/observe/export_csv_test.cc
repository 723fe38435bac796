#include "observe/export/export_csv.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/journal/audit_chain.h"
#include "core/session/audit_actions.h"
#include "core/session/note_text.h"
#include "tests/observe/run_folder.h"

namespace trestle::export_csv_test {
namespace {

using testing::file_text;
using testing::RunFolder;
using testing::sentence_of;
using testing::TemporaryFolder;

const exports::ExportOptions kSteps{};
const exports::ExportOptions kTicks{.ticks = true};

TEST(ExportCsv, WritesStepsInTheOrderOfTheJournal) {
  const RunFolder run;
  const std::string file = run.file("frame.csv");
  exports::export_csv(run.path(), file, kSteps);
  EXPECT_EQ(file_text(file),
            "time_s,west.floor_w.rz.target_rad,roof_w.x.disp_m\n"
            "0,0,-0\n"
            "0.0009765625,0.1,0.3333333333333333\n"
            "0.001953125,1e-300,-2.5e+17\n");
}

TEST(ExportCsv, GivesEqualBytesForEqualRecords) {
  const RunFolder one;
  const RunFolder other("bb");
  exports::export_csv(one.path(), one.file("x.csv"), kSteps);
  exports::export_csv(other.path(), other.file("x.csv"), kSteps);
  EXPECT_EQ(file_text(one.file("x.csv")), file_text(other.file("x.csv")));
}

TEST(ExportCsv, WritesToStandardOutput) {
  const RunFolder run;
  ::testing::internal::CaptureStdout();
  exports::export_csv(run.path(), "-", kSteps);
  exports::export_csv(run.path(), run.file("frame.csv"), kSteps);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), file_text(run.file("frame.csv")));
}

/// A run in whose record somebody noted something.
class NotedRun : public RunFolder {
 public:
  NotedRun() {
    journal::JournalFile journal(file("journal.db"));
    Note note;
    note.text = "a crack";
    journal::AuditRecord record{
        1, 1'700'000'000'000'000'000,
        session::audit_noted("ada@lab", "terminal", session::note_text(note)), ""};
    record.digest = journal::audit_digest("", record);
    journal.add_audit(record);
    journal.finish();
  }
};

TEST(ExportCsv, WritesNotesBesideAFileAndNoneBesideAPipeOrADevice) {
  const NotedRun run;
  exports::export_csv(run.path(), run.file("frame.csv"), kSteps);
  EXPECT_NE(file_text(run.file("frame.notes.csv")).find("a crack"), std::string::npos);

  const std::string pipe = run.file("pipe.csv");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  exports::export_csv(run.path(), pipe, kSteps);
  std::string heard(4096, '\0');
  heard.resize(
      static_cast<std::size_t>(std::max<ssize_t>(0, read(reader, heard.data(), 4096))));
  close(reader);
  EXPECT_EQ(heard, file_text(run.file("frame.csv")));
  EXPECT_FALSE(std::filesystem::exists(run.file("pipe.notes.csv")));

  std::filesystem::create_symlink("/dev/null", run.file("device.csv"));
  exports::export_csv(run.path(), run.file("device.csv"), kSteps);
  EXPECT_FALSE(std::filesystem::exists(run.file("device.notes.csv")));
}

TEST(ExportCsv, WritesCalibrationsBesideAFileAndNamesWhatHasNone) {
  const RunFolder run;
  exports::export_csv(run.path(), run.file("frame.csv"), kSteps);
  EXPECT_FALSE(std::filesystem::exists(run.file("frame.calibration.csv")));
  run.calibrate();
  exports::export_csv(run.path(), run.file("frame.csv"), kSteps);
  EXPECT_EQ(file_text(run.file("frame.calibration.csv")),
            "site,channel,sensor,serial,factor,done,due,by,certificate,range,resolution,"
            "filter,sampling_Hz\n"
            "west,1.force,\"LC-250, old\",4711,,,2001-01-01,,,,,,\n"
            "west,1.displacement,,,,,,,,,,,\n");
}

TEST(ExportCsv, NamesTheChannelsOfRealEquipmentThatStatesNoCalibrationAtAll) {
  const RunFolder run;
  run.state_no_calibration();
  exports::export_csv(run.path(), run.file("frame.csv"), kSteps);
  EXPECT_EQ(file_text(run.file("frame.calibration.csv")),
            "site,channel,sensor,serial,factor,done,due,by,certificate,range,resolution,"
            "filter,sampling_Hz\n"
            "west,1.displacement,,,,,,,,,,,\n"
            "west,1.force,,,,,,,,,,,\n"
            "west,load cell 1,,,,,,,,,,,\n");
}

TEST(ExportCsv, WritesTheSpecimensBesideAFile) {
  const RunFolder run;
  run.calibrate();
  exports::export_csv(run.path(), run.file("frame.csv"), kSteps);
  EXPECT_EQ(file_text(run.file("frame.specimen.csv")),
            "site,id,drawing,material,made,cast,by,note,papers\n"
            "west,C-07,,,,2026-08-04,,,\n");
}

TEST(ExportCsv, QuotesANameWithAComma) {
  const TemporaryFolder folder;
  {
    journal::JournalFile journal(folder.file("journal.db"));
    journal.set_meta("session", "aa");
    journal.set_meta("time_step_s", "1");
    journal.add_stream("result", {{"floor, \"west\".x.disp_m", "m"}});
  }
  exports::export_csv(folder.path(), folder.file("x.csv"), kSteps);
  EXPECT_EQ(file_text(folder.file("x.csv")), "time_s,\"floor, \"\"west\"\".x.disp_m\"\n");
}

TEST(ExportCsv, JoinsTheTicksOfAllSites) {
  const RunFolder run;
  run.set_meta("sites", "west,east");
  RunFolder::add_site(run.path(), "east", {0, 1});
  RunFolder::add_site(run.path(), "west", {0, 2});
  exports::export_csv(run.path(), run.file("ticks.csv"), kTicks);
  EXPECT_EQ(file_text(run.file("ticks.csv")),
            "time_s,west.1.target_m,east.1.target_m\n"
            "0,0.5,0.5\n"
            "0.5,,1.5\n"
            "1,2.5,\n");
}

TEST(ExportCsv, GivesEachSiteItsFileWhereTheTicksDiffer) {
  const RunFolder run;
  RunFolder::add_site(run.path(), "east", {3}, "aa", "0.25");
  RunFolder::add_site(run.path(), "west", {3}, "aa", "0.5");
  exports::export_csv(run.path(), run.file("ticks.csv"), kTicks);
  EXPECT_EQ(file_text(run.file("ticks.east.csv")), "time_s,east.1.target_m\n0.75,3.5\n");
  EXPECT_EQ(file_text(run.file("ticks.west.csv")), "time_s,west.1.target_m\n1.5,3.5\n");
  EXPECT_FALSE(std::filesystem::exists(run.file("ticks.csv")));
  EXPECT_NE(sentence_of([&] {
              exports::export_csv(run.path(), "-", kTicks);
            }).find("name a file"),
            std::string::npos);
}

TEST(ExportCsv, SaysWhoseTicksAreMissing) {
  const RunFolder run;
  EXPECT_EQ(
      sentence_of([&] { exports::export_csv(run.path(), run.file("x.csv"), kTicks); }),
      "this run has no record of control ticks: no site's journal stands beside " +
          run.file("journal.db"));
  run.set_meta("sites", "west,east");
  RunFolder::add_site(run.path(), "west", {0});
  EXPECT_EQ(
      sentence_of([&] { exports::export_csv(run.path(), run.file("x.csv"), kTicks); }),
      "the control ticks of east stand in the laboratory's own folder; bring them "
      "here first: trestle collect");
}

TEST(ExportCsv, WritesOverNoPartOfARecord) {
  const RunFolder run;
  std::ofstream(run.file("effective.yaml")) << "test: a";
  const std::string before = file_text(run.file("journal.db"));
  for (const char* name : {"journal.db", "effective.yaml"})
    EXPECT_NE(sentence_of([&] {
                exports::export_csv(run.path(), run.file(name), kSteps);
              }).find("part of a run's record"),
              std::string::npos)
        << name;
  EXPECT_EQ(file_text(run.file("journal.db")), before);
  EXPECT_EQ(file_text(run.file("effective.yaml")), "test: a");
}

TEST(ExportCsv, SaysWhatIsWrongWithTheRun) {
  const RunFolder run;
  const TemporaryFolder empty;
  const auto fails = [](const std::string& run_dir) {
    return sentence_of([&] { exports::export_csv(run_dir, "-", kSteps); });
  };
  EXPECT_EQ(fails(empty.file("nowhere")), "there is no folder " + empty.file("nowhere"));
  EXPECT_EQ(fails(empty.path()),
            empty.path() + " is not the folder of a run: it has no journal.db");
  EXPECT_EQ(fails(run.file("journal.db")),
            run.file("journal.db") + " is a file; name the folder of a run");
  RunFolder::add_site(run.path(), "west", {0}, "bb");
  EXPECT_EQ(fails(run.path()), run.file("west.db") + " is of session bb, the run " +
                                   run.path() +
                                   " is session aa; take the file out of the folder");
}

TEST(ExportCsv, SaysWhyItCannotWrite) {
  const RunFolder run;
  const auto fails = [&run](const std::string& file) {
    return sentence_of([&] { exports::export_csv(run.path(), file, kSteps); });
  };
  EXPECT_EQ(fails(run.file("nowhere/x.csv")),
            "cannot write " + run.file("nowhere/x.csv") + ": its folder does not exist");
  EXPECT_EQ(fails(run.path()),
            "cannot write " + run.path() + ": it is a folder; name a file");
  EXPECT_EQ(fails("/dev/full"),
            "cannot write /dev/full: the disk is full; free space on it, or name another "
            "place");
}

TEST(ExportCsv, LeavesAnOlderFileAloneWhereItFails) {
  const RunFolder run;
  std::ofstream(run.file("x.csv")) << "older";
  const auto files = [&run] {
    return std::distance(std::filesystem::directory_iterator(run.path()), {});
  };
  const auto before = files();
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{.rlim_cur = 10,
                     .rlim_max = old.rlim_max};  // a disk with 10 bytes left
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string sentence =
      sentence_of([&] { exports::export_csv(run.path(), run.file("x.csv"), kSteps); });
  ::setrlimit(RLIMIT_FSIZE, &old);
  ::signal(SIGXFSZ, handler);
  EXPECT_NE(sentence.find("cannot write " + run.file("x.csv")), std::string::npos);
  EXPECT_EQ(file_text(run.file("x.csv")), "older");
  EXPECT_EQ(files(), before);
}

}  // namespace
}  // namespace trestle::export_csv_test
