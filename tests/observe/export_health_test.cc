#include "observe/export/export_health.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "core/types/record_names.h"
#include "tests/observe/run_folder.h"

namespace trestle::export_health_test {
namespace {

using testing::file_text;
using testing::sentence_of;
using testing::TemporaryFolder;

void write_journal(const std::string& file, bool with_health) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  journal::JournalFile journal(file);
  journal.set_meta("session", "aa");
  if (with_health) {
    const int health =
        journal.add_stream(stream_name::kHealth, {{"time_s", "s"},
                                                  {"west.cycles", "1"},
                                                  {"west.1.force_mean_N", "N"},
                                                  {"lab, east.cycles", "1"}});
    const std::vector<double> west{0.0, 12.0, -1234.5625, kNone};
    const std::vector<double> east{0.5, kNone, kNone, 9.0};
    journal.append(health, RecordRow{1, west});
    journal.append(health, RecordRow{4, east});
  }
  journal.finish();
}

TEST(ExportHealth, WritesARowPerHeartbeat) {
  const TemporaryFolder folder;
  write_journal(folder.file("journal.db"), true);
  exports::export_health(folder.path(), folder.file("health.csv"));
  EXPECT_EQ(file_text(folder.file("health.csv")),
            "heartbeat,time_s,west.cycles,west.1.force_mean_N,\"lab, east.cycles\"\n"
            "1,0,12,-1234.5625,\n"
            "4,0.5,,,9\n");
}

TEST(ExportHealth, SaysWhyARecordHasNone) {
  const TemporaryFolder folder;
  write_journal(folder.file("journal.db"), false);
  const std::string told = sentence_of(
      [&] { exports::export_health(folder.path(), folder.file("health.csv")); });
  EXPECT_NE(told.find("has no stream `health`"), std::string::npos) << told;
  EXPECT_NE(told.find("--set clock=wall"), std::string::npos) << told;
  EXPECT_FALSE(std::filesystem::exists(folder.file("health.csv")));
}

}  // namespace
}  // namespace trestle::export_health_test
