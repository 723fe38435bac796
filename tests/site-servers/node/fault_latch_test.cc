// A fault outlives the process that met it, whatever is known of its reason.
#include "site-servers/node/fault_latch.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/core/journal/temporary_folder.h"

namespace trestle::site_node::fault_latch_test {
namespace {

using enum session::SessionState;

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

TEST(FaultLatch, KeepsAFaultUntilItIsCleared) {
  const testing::TemporaryFolder folder;
  FaultLatch latch(folder.path());
  EXPECT_EQ(latch.reason(), "");
  EXPECT_EQ(latch.follow(kRunning, {}), "");
  EXPECT_FALSE(std::filesystem::exists(folder.file("fault")));
  EXPECT_EQ(latch.follow(kFault, "force limit exceeded"), "");
  EXPECT_EQ(FaultLatch(folder.path()).reason(), "force limit exceeded");
  EXPECT_EQ(latch.follow(kFault, "force limit exceeded; then interlock estop is open"), "");
  EXPECT_EQ(FaultLatch(folder.path()).reason(),
            "force limit exceeded; then interlock estop is open");
  EXPECT_EQ(latch.follow(kHolding, {}), "");
  EXPECT_EQ(FaultLatch(folder.path()).reason(), "");
}

TEST(FaultLatch, KeepsNoFaultWithoutASentence) {
  for (const std::string reason : {"", "\n", "\nthe driver's words"}) {
    const testing::TemporaryFolder folder;
    FaultLatch latch(folder.path());
    EXPECT_EQ(latch.follow(kFault, reason), "");
    EXPECT_NE(first_line(folder.file("fault")), "");
    EXPECT_NE(FaultLatch(folder.path()).reason(), "");
  }
}

TEST(FaultLatch, TakesABlankFaultOverWithASentence) {
  const testing::TemporaryFolder folder;
  const testing::TemporaryFolder before;
  std::ofstream(before.file("fault")) << "\n";
  EXPECT_NE(FaultLatch(folder.path(), before.path()).reason(), "");
  EXPECT_NE(first_line(folder.file("fault")), "");
}

}  // namespace
}  // namespace trestle::site_node::fault_latch_test
