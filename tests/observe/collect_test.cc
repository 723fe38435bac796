#include "observe/records/collect.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/journal/journal_reader.h"
#include "tests/observe/run_folder.h"

namespace trestle::collect_test {
namespace {

using testing::RunFolder;
using testing::sentence_of;
using testing::TemporaryFolder;

TEST(Collect, BringsTheSitesJournalsIntoTheRun) {
  const RunFolder run;
  const TemporaryFolder west;
  const TemporaryFolder east;
  std::filesystem::create_directory(east.file("of-today"));
  RunFolder::add_site(west.path(), "west", {0, 1});
  RunFolder::add_site(east.path(), "east", {0}, "bb");  // of yesterday
  RunFolder::add_site(east.file("of-today"), "east", {0, 1, 2});
  records::collect(run.path(), {west.path(), east.path()});
  records::collect(run.path(), {west.path(), east.path()});  // again does no harm
  EXPECT_EQ(journal::JournalReader(run.file("west.db")).row_count("tick"), 2);
  EXPECT_EQ(journal::JournalReader(run.file("east.db")).row_count("tick"), 3);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(run.path()), {}), 3);
}

TEST(Collect, RefusesAnotherSessionAndNamesBoth) {
  const RunFolder run;
  const TemporaryFolder west;
  RunFolder::add_site(west.path(), "west", {0}, "bb");
  EXPECT_EQ(sentence_of([&] { records::collect(run.path(), {west.path()}); }),
            west.path() + " holds session bb, the run " + run.path() +
                " is session aa; name the folder of the same test");
  EXPECT_FALSE(std::filesystem::exists(run.file("west.db")));
}

TEST(Collect, SaysWhatAFolderLacks) {
  const RunFolder run;
  const TemporaryFolder empty;
  EXPECT_EQ(
      sentence_of([&] { records::collect(run.path(), {empty.path()}); }),
      empty.path() +
          " has no journal of a site; name the folder that the site server writes its "
          "records to");
  EXPECT_EQ(sentence_of([&] { records::collect(run.path(), {empty.file("nowhere")}); }),
            "there is no folder " + empty.file("nowhere"));
}

TEST(Collect, LeavesWhatIsInTheRunAlready) {
  const RunFolder run;
  RunFolder::add_site(run.path(), "west", {0, 1});
  records::collect(run.path(), {run.path()});
  EXPECT_EQ(journal::JournalReader(run.file("west.db")).row_count("tick"), 2);
}

// Bringing records together takes none away.
TEST(Collect, SetsAsideARecordThatTheNewOneDoesNotHold) {
  const RunFolder run;
  const RunFolder site;
  RunFolder::add_site(run.path(), "west", {0, 1, 2, 3});
  RunFolder::add_site(site.path(), "west", {0, 1});
  records::collect(run.path(), {site.path()});
  EXPECT_EQ(journal::JournalReader(run.file("west.db")).row_count("tick"), 2);
  EXPECT_EQ(journal::JournalReader(run.file("set-aside-1/west.db")).row_count("tick"), 4);
  records::collect(run.path(), {site.path()});  // holds all of it
  EXPECT_FALSE(std::filesystem::exists(run.file("set-aside-2")));
}

}  // namespace
}  // namespace trestle::collect_test
