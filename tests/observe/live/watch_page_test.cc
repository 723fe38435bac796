#include "observe/live/watch_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "core/types/record_names.h"
#include "observe/live/screen_text.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::live::watch_page_test {
namespace {

/// The row of a site with many contacts, of which one of the last is open.
ScreenRow row_of_site(std::size_t width) {
  NodeStatus status;
  status.node = kIntegratorNode;
  status.state = "RUNNING";
  PeerStatus& west = status.peers.emplace_back();
  west.name = "west";
  west.where = "tcp://lab-west:7001";
  west.state = "RUNNING";
  for (const char* const contact :
       {"emergency stop at the desk", "emergency stop at the rig", "door of the cage",
        "hydraulics enabled", "hatch"})
    west.readings.push_back({contact, "0/1",
                             contact == std::string("hydraulics enabled") ? 0.0 : 1.0,
                             std::numeric_limits<double>::quiet_NaN()});
  const trestle::testing::TemporaryFolder folder;
  TestFollower test({.folder = folder.path()});
  test.look(0.0, &status);
  const std::vector<ScreenRow> rows = watch_page(test, {}, {}, {.width = width});
  const auto found = std::find_if(rows.begin(), rows.end(), [](const ScreenRow& row) {
    return row.text.starts_with("west");
  });
  EXPECT_NE(found, rows.end());
  return found == rows.end() ? ScreenRow{} : *found;
}

TEST(WatchPage, NamesAContactThatIsOpenOnAnyScreen) {
  for (const std::size_t width : {40U, 80U, 132U}) {
    SCOPED_TRACE(width);
    const ScreenRow row = row_of_site(width);
    EXPECT_NE(row.text.find("hydraulics enabled OPEN"), std::string::npos) << row.text;
    EXPECT_LE(display_width(row.text), width);
    EXPECT_EQ(row.emphasis, Emphasis::kAlarm);
  }
}

TEST(WatchPage, TellsInCapitalsWhichLaboratoryTakesNoPart) {
  NodeStatus status;
  status.node = kIntegratorNode;
  status.state = "CONNECTING";
  status.twins = {"east"};
  const trestle::testing::TemporaryFolder folder;
  TestFollower test({.folder = folder.path()});
  test.look(0.0, &status);
  const std::vector<ScreenRow> rows = watch_page(test, {}, {}, {.width = 132});
  EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [](const ScreenRow& row) {
    return row.text ==
               "TWIN: site east is simulated by its twin; its laboratory is not "
               "connected" &&
           row.emphasis == Emphasis::kAlarm;
  }));
}

TEST(WatchPage, ShowsTheTimeOfThePersonsHostBesideThatOfTheTest) {
  NodeStatus status;
  status.node = kIntegratorNode;
  status.state = "RUNNING";
  const trestle::testing::TemporaryFolder folder;
  TestFollower test({.folder = folder.path()});
  test.look(0.0, &status);
  const auto head = [&](const std::string& time) {
    WatchPageState state;
    state.local_time = time;
    return watch_page(test, {}, state, {.width = 132}).front().text;
  };
  EXPECT_NE(head("14:05:12").find("here 14:05:12"), std::string::npos) << head("14:05:12");
  EXPECT_EQ(head("").find("here"), std::string::npos);
}

TEST(WatchPage, SaysThatTheStateIsNotKnownIfTheProcessTellsNone) {
  const trestle::testing::TemporaryFolder folder;
  TestFollower test({.folder = folder.path()});
  test.look(0.0, nullptr);
  WatchPageState state;
  state.untold = true;
  const ScreenRow head = watch_page(test, {}, state, {.width = 80}).front();
  EXPECT_NE(head.text.find("NOT KNOWN"), std::string::npos) << head.text;
  EXPECT_EQ(head.emphasis, Emphasis::kWarning);
}

TEST(WatchPage, SaysThatTheStateOfASiteIsNotKnownIfNoMessageToldIt) {
  NodeStatus status;
  status.node = kIntegratorNode;
  status.state = "CONNECTING";
  PeerStatus& west = status.peers.emplace_back();
  west.name = "west";
  west.state = "RUNNING";
  west.heard = -1.0;
  const trestle::testing::TemporaryFolder folder;
  TestFollower test({.folder = folder.path()});
  const auto row_of_west = [&] {
    test.look(0.0, &status);
    for (const ScreenRow& row : watch_page(test, {}, {}, {.width = 132}))
      if (row.text.starts_with("west")) return row.text;
    return std::string();
  };
  EXPECT_NE(row_of_west().find("NOT KNOWN"), std::string::npos) << row_of_west();
  EXPECT_EQ(row_of_west().find("RUNNING"), std::string::npos) << row_of_west();
  status.peers.front().heard = 0.3;
  EXPECT_NE(row_of_west().find("RUNNING"), std::string::npos) << row_of_west();
}

}  // namespace
}  // namespace trestle::live::watch_page_test
