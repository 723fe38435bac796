#include "observe/export/export_hdf5.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "observe/export/hdf5_handle.h"
#include "tests/observe/run_folder.h"

namespace trestle::export_hdf5_test {
namespace {

using testing::file_text;
using testing::RunFolder;
using testing::sentence_of;

const exports::ExportOptions kSteps{};
const exports::ExportOptions kTicks{.ticks = true};

/// What the HDF5 library itself finds in a file.
class File {
 public:
  explicit File(const std::string& path)
      : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {}

  std::vector<double> doubles(const std::string& path) const {
    const exports::Hdf5Handle column(H5Dopen2(file_.id(), path.c_str(), H5P_DEFAULT),
                                     H5Dclose);
    const exports::Hdf5Handle space(H5Dget_space(column.id()), H5Sclose);
    std::vector<double> values(
        static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id())));
    H5Dread(column.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    return values;
  }

  std::vector<std::string> texts(const std::string& path) const {
    const exports::Hdf5Handle column(H5Dopen2(file_.id(), path.c_str(), H5P_DEFAULT),
                                     H5Dclose);
    const exports::Hdf5Handle space(H5Dget_space(column.id()), H5Sclose);
    const exports::Hdf5Handle type(H5Dget_type(column.id()), H5Tclose);
    std::vector<char*> characters(
        static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id())));
    H5Dread(column.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, characters.data());
    std::vector<std::string> texts;
    for (char* const each : characters) {
      texts.emplace_back(each == nullptr ? "" : each);
      H5free_memory(each);
    }
    return texts;
  }

  double number(const std::string& object, const std::string& name) const {
    const exports::Hdf5Handle found = attribute(object, name);
    double value = 0.0;
    H5Aread(found.id(), H5T_NATIVE_DOUBLE, &value);
    return value;
  }

  std::string text(const std::string& object, const std::string& name) const {
    const exports::Hdf5Handle found = attribute(object, name);
    const exports::Hdf5Handle type(H5Aget_type(found.id()), H5Tclose);
    char* characters = nullptr;
    H5Aread(found.id(), type.id(), static_cast<void*>(&characters));
    std::string value(characters == nullptr ? "" : characters);
    H5free_memory(characters);
    return value;
  }

 private:
  exports::Hdf5Handle attribute(const std::string& object, const std::string& name) const {
    return {
        H5Aopen_by_name(file_.id(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose};
  }

  exports::Hdf5Handle file_;
};

TEST(ExportHdf5, GivesEveryStepBackWithItsUnit) {
  const RunFolder run;
  exports::export_hdf5(run.path(), run.file("frame.h5"), kSteps);
  const File file(run.file("frame.h5"));
  EXPECT_EQ(file.doubles("/result/time_s"),
            (std::vector<double>{0.0, 1.0 / 1024.0, 2.0 / 1024.0}));
  const std::vector<double> roof = file.doubles("/result/roof_w.x.disp_m");
  const std::vector<double> expected{-0.0, 1.0 / 3.0, -2.5e17};
  ASSERT_EQ(roof.size(), expected.size());
  for (std::size_t i = 0; i < roof.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(roof[i]),
              std::bit_cast<std::uint64_t>(expected[i]));
  EXPECT_EQ(file.text("/result/roof_w.x.disp_m", "unit"), "m");
  EXPECT_EQ(file.text("/result/west.floor_w.rz.target_rad", "unit"), "rad");
  EXPECT_EQ(file.text("/result/time_s", "unit"), "s");
  EXPECT_EQ(file.number("/result", "dt"), 1.0 / 1024.0);
  EXPECT_EQ(file.number("/", "dt"), 1.0 / 1024.0);
  EXPECT_EQ(file.text("/", "test"), "two-site frame");
  EXPECT_EQ(file.text("/", "session"), "aa");
  EXPECT_EQ(file.doubles("/event/time_s"), std::vector<double>{2.0});
}

TEST(ExportHdf5, GivesTheCalibrationsOfTheChannels) {
  const RunFolder run;
  run.calibrate();
  exports::export_hdf5(run.path(), run.file("frame.h5"), kSteps);
  const File file(run.file("frame.h5"));
  EXPECT_EQ(file.texts("/calibration/channel"),
            (std::vector<std::string>{"1.force", "1.displacement"}));
  EXPECT_EQ(file.texts("/calibration/serial"), (std::vector<std::string>{"4711", ""}));
  EXPECT_EQ(file.texts("/specimen/id"), std::vector<std::string>{"C-07"});
  EXPECT_EQ(file.texts("/specimen/cast"), std::vector<std::string>{"2026-08-04"});
}

TEST(ExportHdf5, NamesTheChannelsOfRealEquipmentThatStatesNoCalibrationAtAll) {
  const RunFolder run;
  run.state_no_calibration();
  exports::export_hdf5(run.path(), run.file("frame.h5"), kSteps);
  const File file(run.file("frame.h5"));
  EXPECT_EQ(file.texts("/calibration/channel"),
            (std::vector<std::string>{"1.displacement", "1.force", "load cell 1"}));
  EXPECT_EQ(file.texts("/calibration/serial"), (std::vector<std::string>{"", "", ""}));
}

TEST(ExportHdf5, GivesTheNotesOfPersons) {
  const RunFolder run;
  run.note();
  exports::export_hdf5(run.path(), run.file("frame.h5"), kSteps);
  const File file(run.file("frame.h5"));
  EXPECT_EQ(file.doubles("/note/time_s"), std::vector<double>{1.0 / 1024.0});
  EXPECT_EQ(file.doubles("/note/step"), std::vector<double>{1.0});
  EXPECT_EQ(file.texts("/note/text"), std::vector<std::string>{"crack at the weld"});
  EXPECT_EQ(file.texts("/note/who"), std::vector<std::string>{"bob@west"});
  EXPECT_EQ(file.texts("/note/utc"), std::vector<std::string>{"2026-11-24T05:55:27.306Z"});
  EXPECT_EQ(file.texts("/note/file"), std::vector<std::string>{"1f2e-crack.jpg"});
  EXPECT_EQ(file.texts("/note/sha256"), std::vector<std::string>{std::string(64, 'a')});
}

TEST(ExportHdf5, GivesEachSiteAGroupOfTicks) {
  const RunFolder run;
  std::vector<std::int64_t> ticks;
  for (std::int64_t tick = 0; tick < 5000; ++tick) ticks.push_back(2 * tick);
  RunFolder::add_site(run.path(), "west", ticks);
  RunFolder::add_site(run.path(), "east", {4}, "aa", "0.25");
  exports::export_hdf5(run.path(), run.file("frame.h5"), kTicks);
  const File file(run.file("frame.h5"));
  const std::vector<double> west = file.doubles("/tick/west/west.1.target_m");
  ASSERT_EQ(west.size(), 5000u);  // more than are turned into columns at a time
  for (std::size_t i = 0; i < west.size(); ++i)
    ASSERT_EQ(west[i], 2.0 * static_cast<double>(i) + 0.5);
  EXPECT_EQ(file.doubles("/tick/east/time_s"), std::vector<double>{1.0});
  EXPECT_EQ(file.number("/tick/east", "dt"), 0.25);
}

TEST(ExportHdf5, GivesEqualBytesForEqualRecords) {
  const RunFolder one;
  const RunFolder other;
  exports::export_hdf5(one.path(), one.file("x.h5"), kSteps);
  exports::export_hdf5(other.path(), other.file("x.h5"), kSteps);
  EXPECT_EQ(file_text(one.file("x.h5")), file_text(other.file("x.h5")));
}

TEST(ExportHdf5, RefusesTwoChannelsOfOneName) {
  const testing::TemporaryFolder folder;
  {
    journal::JournalFile journal(folder.file("journal.db"));
    journal.set_meta("session", "aa");
    journal.set_meta("time_step_s", "1");
    journal.add_stream("result", {{"x.disp_m", "m"}, {"x.disp_m", "m"}});
  }
  EXPECT_NE(sentence_of([&] {
              exports::export_hdf5(folder.path(), folder.file("x.h5"), kSteps);
            }).find("the same name"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.h5")));
}

TEST(ExportHdf5, SaysWhyItCannotWriteAndLeavesNothing) {
  const RunFolder run;
  const auto fails = [&run](const std::string& file,
                            const exports::ExportOptions& options) {
    return sentence_of([&] { exports::export_hdf5(run.path(), file, options); });
  };
  EXPECT_EQ(fails(run.file("nowhere/x.h5"), kSteps),
            "cannot write " + run.file("nowhere/x.h5") + ": its folder does not exist");
  EXPECT_EQ(fails(run.path(), kSteps),
            "cannot write " + run.path() + ": it is a folder; name a file");
  EXPECT_NE(fails(run.file("x.h5"), kTicks).find("no record of control ticks"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(run.file("x.h5")));
}

}  // namespace
}  // namespace trestle::export_hdf5_test
