#include "observe/export/export_mat.h"

#include <gtest/gtest.h>
#include <matio.h>
#include <sys/resource.h>

#include <bit>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "observe/export/matlab_names.h"
#include "tests/observe/run_folder.h"

namespace trestle::export_mat_test {
namespace {

using testing::file_text;
using testing::RunFolder;
using testing::sentence_of;

const exports::ExportOptions kSteps{};
const exports::ExportOptions kTicks{.ticks = true};

/// What the library itself finds in a file.
class File {
 public:
  explicit File(const std::string& path)
      : file_(Mat_Open(path.c_str(), MAT_ACC_RDONLY), Mat_Close) {}

  /// A field by its path: {"tick", "west", "time_s"}.
  std::vector<double> doubles(const std::vector<std::string>& path) {
    const matvar_t* field = find(path);
    if (field == nullptr) return {};
    const auto* first = static_cast<const double*>(field->data);
    return {first, first + field->dims[0] * field->dims[1]};
  }

  std::string text(const std::vector<std::string>& path) { return text_in(find(path)); }

  std::vector<std::string> cells(const std::vector<std::string>& path) {
    matvar_t* cell = find(path);
    if (cell == nullptr) return {};
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < cell->dims[0] * cell->dims[1]; ++i)
      texts.push_back(text_in(Mat_VarGetCell(cell, static_cast<int>(i))));
    return texts;
  }

 private:
  using Variable = std::unique_ptr<matvar_t, void (*)(matvar_t*)>;

  static std::string text_in(const matvar_t* variable) {
    if (variable == nullptr || variable->data == nullptr) return {};
    return {static_cast<const char*>(variable->data), variable->nbytes};
  }

  matvar_t* find(const std::vector<std::string>& path) {
    read_.emplace_back(Mat_VarRead(file_.get(), path.front().c_str()), Mat_VarFree);
    matvar_t* at = read_.back().get();
    for (std::size_t i = 1; at != nullptr && i < path.size(); ++i)
      at = Mat_VarGetStructFieldByName(at, path[i].c_str(), 0);
    EXPECT_NE(at, nullptr) << path.back();
    return at;
  }

  std::unique_ptr<mat_t, int (*)(mat_t*)> file_;
  std::vector<Variable> read_;
};

TEST(ExportMat, GivesEveryStepBackToTheLastBit) {
  const RunFolder run;
  exports::export_mat(run.path(), run.file("frame.mat"), kSteps);
  File file(run.file("frame.mat"));
  EXPECT_EQ(file.doubles({"result", "time_s"}),
            (std::vector<double>{0.0, 1.0 / 1024.0, 2.0 / 1024.0}));
  const std::vector<double> roof = file.doubles({"result", "roof_w_x_disp_m"});
  const std::vector<double> expected{-0.0, 1.0 / 3.0, -2.5e17};
  ASSERT_EQ(roof.size(), expected.size());
  for (std::size_t i = 0; i < roof.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(roof[i]),
              std::bit_cast<std::uint64_t>(expected[i]));
  EXPECT_EQ(file.doubles({"result", "dt"}), std::vector<double>{1.0 / 1024.0});
  EXPECT_EQ(file.text({"meta", "test"}), "two-site frame");
  EXPECT_EQ(file.doubles({"event", "time_s"}), std::vector<double>{2.0});
  EXPECT_EQ(file.cells({"event", "text"}), std::vector<std::string>{"rate 401 mm/s"});
}

TEST(ExportMat, KeepsATableOfTheNamesThatMatlabDoesNotTake) {
  const RunFolder run;
  exports::export_mat(run.path(), run.file("frame.mat"), kSteps);
  EXPECT_EQ(File(run.file("frame.mat")).cells({"names"}),
            (std::vector<std::string>{"result.time_s", "result.west_floor_w_rz_target_rad",
                                      "result.roof_w_x_disp_m", "event.time_s", "time_s",
                                      "west.floor_w.rz.target_rad", "roof_w.x.disp_m",
                                      "time_s", "s", "rad", "m", "s"}));
}

TEST(ExportMat, GivesTheCalibrationsOfTheChannels) {
  const RunFolder run;
  run.calibrate();
  exports::export_mat(run.path(), run.file("frame.mat"), kSteps);
  File file(run.file("frame.mat"));
  EXPECT_EQ(file.cells({"calibration", "channel"}),
            (std::vector<std::string>{"1.force", "1.displacement"}));
  EXPECT_EQ(file.cells({"calibration", "serial"}), (std::vector<std::string>{"4711", ""}));
  EXPECT_EQ(file.cells({"specimen", "id"}), std::vector<std::string>{"C-07"});
}

TEST(ExportMat, NamesTheChannelsOfRealEquipmentThatStatesNoCalibrationAtAll) {
  const RunFolder run;
  run.state_no_calibration();
  exports::export_mat(run.path(), run.file("frame.mat"), kSteps);
  File file(run.file("frame.mat"));
  EXPECT_EQ(file.cells({"calibration", "channel"}),
            (std::vector<std::string>{"1.displacement", "1.force", "load cell 1"}));
  EXPECT_EQ(file.cells({"calibration", "serial"}), (std::vector<std::string>{"", "", ""}));
}

TEST(ExportMat, GivesTheNotesOfPersons) {
  const RunFolder run;
  run.note();
  exports::export_mat(run.path(), run.file("frame.mat"), kSteps);
  File file(run.file("frame.mat"));
  EXPECT_EQ(file.doubles({"note", "time_s"}), std::vector<double>{1.0 / 1024.0});
  EXPECT_EQ(file.doubles({"note", "step"}), std::vector<double>{1.0});
  EXPECT_EQ(file.cells({"note", "text"}), std::vector<std::string>{"crack at the weld"});
  EXPECT_EQ(file.cells({"note", "who"}), std::vector<std::string>{"bob@west"});
}

TEST(ExportMat, GivesEachSiteAStructureOfTicks) {
  const RunFolder run;
  RunFolder::add_site(run.path(), "west", {0, 2, 4});
  RunFolder::add_site(run.path(), "east", {4}, "aa", "0.25");
  exports::export_mat(run.path(), run.file("frame.mat"), kTicks);
  File file(run.file("frame.mat"));
  EXPECT_EQ(file.doubles({"tick", "west", "west_1_target_m"}),
            (std::vector<double>{0.5, 2.5, 4.5}));
  EXPECT_EQ(file.doubles({"tick", "east", "time_s"}), std::vector<double>{1.0});
  EXPECT_EQ(file.cells({"names"})[3], "tick.east.time_s");
}

TEST(ExportMat, WritesARecordOfFiftyChannelsAndFiftyThousandSteps) {
  const testing::TemporaryFolder folder;
  constexpr int kColumns = 50;
  constexpr std::int64_t kSteps52 = 52163;
  {
    journal::JournalFile journal(folder.file("journal.db"));
    journal.set_meta("session", "aa");
    journal.set_meta("time_step_s", "1");
    Channels channels;
    for (int i = 0; i < kColumns; ++i) channels.push_back({"c" + std::to_string(i), "m"});
    const int stream = journal.add_stream("result", channels);
    journal.begin();
    std::vector<double> row(kColumns);
    for (std::int64_t step = 0; step < kSteps52; ++step) {
      row.back() = static_cast<double>(step);
      journal.append(stream, {step, row});
    }
    journal.commit();
    journal.finish();
  }
  exports::export_mat(folder.path(), folder.file("x.mat"), kSteps);
  const std::vector<double> last = File(folder.file("x.mat")).doubles({"result", "c49"});
  ASSERT_EQ(last.size(), static_cast<std::size_t>(kSteps52));
  EXPECT_EQ(last.back(), static_cast<double>(kSteps52 - 1));
}

TEST(ExportMat, GivesEqualBytesForEqualRecords) {
  const RunFolder one;
  const RunFolder other;
  exports::export_mat(one.path(), one.file("x.mat"), kSteps);
  exports::export_mat(other.path(), other.file("x.mat"), kSteps);
  EXPECT_EQ(file_text(one.file("x.mat")), file_text(other.file("x.mat")));
}

TEST(ExportMat, SaysWhyItCannotWriteAndLeavesNothing) {
  const RunFolder run;
  const auto fails = [&run](const std::string& file) {
    return sentence_of([&] { exports::export_mat(run.path(), file, kSteps); });
  };
  EXPECT_EQ(fails(run.file("nowhere/x.mat")),
            "cannot write " + run.file("nowhere/x.mat") + ": its folder does not exist");
  EXPECT_EQ(fails(run.path()),
            "cannot write " + run.path() + ": it is a folder; name a file");
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{.rlim_cur = 900, .rlim_max = old.rlim_max};  // a disk nearly full
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string full = fails(run.file("x.mat"));
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(full.find("cannot write " + run.file("x.mat")), std::string::npos) << full;
  EXPECT_FALSE(std::filesystem::exists(run.file("x.mat")));
}

TEST(MatlabNames, AreValidAndNeverTwoAlike) {
  exports::MatlabNames names;
  EXPECT_EQ(names.name("west.floor_w.x.target_m"), "west_floor_w_x_target_m");
  EXPECT_EQ(names.name("west.floor_w.x_target_m"), "west_floor_w_x_target_m_2");
  EXPECT_EQ(names.name("1.drive"), "x_1_drive");
  EXPECT_EQ(names.name("end"), "end_");
  EXPECT_EQ(names.name("criteria.J2[0]"), "criteria_J2_0");
  EXPECT_EQ(names.name("..."), "x");
  EXPECT_EQ(names.name(std::string(80, 'a')), std::string(63, 'a'));
  EXPECT_EQ(names.name(std::string(80, 'a')), std::string(61, 'a') + "_2");
}

}  // namespace
}  // namespace trestle::export_mat_test
