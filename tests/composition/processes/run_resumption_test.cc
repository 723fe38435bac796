#include "composition/processes/run_resumption.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "core/journal/journal_recorder.h"
#include "tests/core/journal/full_disk.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::composition::run_resumption_test {
namespace {

/// As an integrator that was killed: its last rows are in the ring file alone.
void leave_a_run(const std::string& folder) {
  const pid_t child = ::fork();
  if (child == 0) {
    journal::JournalRecorder recorder(
        {.folder = folder, .name = "journal", .node = "integrator", .facts = {}});
    RowSink& sink =
        *recorder.open(SessionId{7, 8, 9}, {}, {{"result", {{"a_m", "m"}}}}).front();
    const double value = 0.5;
    sink.push({0, std::span<const double>(&value, 1)});
    ::_exit(0);  // no destructor runs
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
}

// It said that nobody can tell whether a rig has moved, and sent the person into another
// folder: the record was whole.
TEST(RunResumption, AsksForRoomOnAFullDiskAndLooksAtTheSameRecordAgainAfterThat) {
  const testing::TemporaryFolder folder;
  leave_a_run(folder.path());
  ASSERT_TRUE(std::filesystem::exists(folder.file("journal.ring")));
  std::string refusal;
  {
    const testing::FullDisk disk;
    refusal = prepare_resumption(folder.path(), "test").refusal;
  }
  EXPECT_NE(refusal.find("then: trestle resume " + folder.path()), std::string::npos)
      << refusal;
  EXPECT_NE(refusal.find("journal.db"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("nothing is begun or changed here"), std::string::npos) << refusal;
  EXPECT_EQ(refusal.find("whether a rig has moved"), std::string::npos) << refusal;
  EXPECT_TRUE(std::filesystem::exists(folder.file("journal.ring")));
  // There is room again: it comes as far as the test's file, which is not here.
  const std::string next =
      testing::sentence_of([&] { prepare_resumption(folder.path(), "test"); });
  EXPECT_NE(next.find("effective.yaml"), std::string::npos) << next;
}

}  // namespace
}  // namespace trestle::composition::run_resumption_test
