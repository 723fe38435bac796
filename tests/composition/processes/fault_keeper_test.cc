#include "composition/processes/fault_keeper.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "tests/core/journal/temporary_folder.h"
#include "tests/site-servers/node/site_bench.h"

namespace trestle::composition::fault_keeper_test {
namespace {

namespace fs = std::filesystem;
constexpr auto kLongest = std::chrono::seconds(60);

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

FaultKeeper keeper_in(const testing::TemporaryFolder& folder) {
  return {std::make_unique<site_node::FaultLatch>(folder.path()), nullptr};
}

/// Of a site whose rig trips.
void trip(testing::SiteBench& bench) {
  bench.run();
  bench.gets(bench.step(0));
  bench.rig.status = AdapterStatus::kTripped;
  bench.gets(bench.step(1));
  ASSERT_EQ(bench.node.state(), session::SessionState::kFault);
}

TEST(FaultKeeper, KeepsAFaultUntilItIsCleared) {
  const testing::TemporaryFolder folder;
  testing::SiteBench bench;
  FaultKeeper keeper = keeper_in(folder);
  trip(bench);
  EXPECT_EQ(keeper.follow(bench.node), "");
  EXPECT_EQ(first_line(folder.file("fault")), bench.node.reason());
  bench.rig.status = AdapterStatus::kOk;
  ASSERT_EQ(bench.node.clear("ada@lab"), "");
  EXPECT_EQ(keeper.follow(bench.node), "");
  EXPECT_FALSE(fs::exists(folder.file("fault"))) << "at once";
}

/// Whoever opens it for writing waits until somebody reads it.
TEST(FaultKeeper, LetsTheNodeServeWhereTheDiskDoesNotReturn) {
  const testing::TemporaryFolder folder;
  testing::SiteBench bench;
  FaultKeeper keeper = keeper_in(folder);
  const std::string room = folder.file("fault.room");
  fs::remove(room);
  ASSERT_EQ(mkfifo(room.c_str(), 0600), 0);
  trip(bench);
  EXPECT_NE(keeper.follow(bench.node).find("the disk has not taken the fault"),
            std::string::npos);
  const auto begin = std::chrono::steady_clock::now();
  for (int n = 0; n < 1000; ++n) EXPECT_EQ(keeper.follow(bench.node), "");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kLongest) << "it waits once";
  EXPECT_FALSE(fs::exists(folder.file("fault")));
  const int reader = open(room.c_str(), O_RDONLY | O_NONBLOCK);
  fs::remove(room);
  const auto until = std::chrono::steady_clock::now() + kLongest;
  while (!fs::exists(folder.file("fault")) && std::chrono::steady_clock::now() < until)
    keeper.follow(bench.node);
  EXPECT_EQ(first_line(folder.file("fault")), bench.node.reason())
      << "tried again when the disk is back";
  close(reader);
}

}  // namespace
}  // namespace trestle::composition::fault_keeper_test
