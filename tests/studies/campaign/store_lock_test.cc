#include "studies/campaign/store_lock.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/journal/sqlite_database.h"
#include "studies/campaign/campaign_store.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::campaign {
namespace {

using testing::sentence_of;
using testing::TemporaryFolder;
using Method = StoreLock::Method;

/// What a killed program leaves where SQLite locks by a folder.
void leave_lock(const std::string& store, const StoreLock::Owner& owner) {
  std::filesystem::create_directory(store + ".lock");
  StoreLock killed(store + "-other", owner, Method::kFolder);
  killed.take();
  std::filesystem::copy_file(store + "-other.owner", store + ".owner",
                             std::filesystem::copy_options::overwrite_existing);
}

std::string complaint(const std::string& store, const StoreLock::Owner& me) {
  return sentence_of([&] { StoreLock(store, me, Method::kFolder); });
}

TEST(StoreLock, IsTakenOverOnlyFromAnOwnerThatIsKnownToBeDead) {
  const TemporaryFolder folder;
  const std::string store = folder.file("c.db");
  const StoreLock::Owner me = StoreLock::Owner::here();
  const auto after = [&](const auto& change) {
    StoreLock::Owner owner = me;
    change(owner);
    leave_lock(store, owner);
    const std::string sentence = complaint(store, me);
    EXPECT_EQ(std::filesystem::exists(store + ".lock"), !sentence.empty());
    std::filesystem::remove(store + ".lock");
    return sentence;
  };
  EXPECT_EQ(after([](auto& owner) { owner.boot = "an earlier one"; }), "");
  EXPECT_EQ(after([](auto& owner) { owner.started += "1"; }), "");  // the number is reused
  EXPECT_EQ(after([](auto& owner) { owner.process = 0; }), "");
  EXPECT_NE(after([](auto&) {})
                .find("c.db is locked by process " + std::to_string(me.process) + " on " +
                      me.host + "; if that program is surely dead, remove "),
            std::string::npos);
  EXPECT_NE(after([](auto& owner) { owner.host = "node7"; }), "");
  EXPECT_NE(after([](auto& owner) {
              owner.machine = "m";
              owner.boot = "b";
            }),
            "");
  EXPECT_NE(after([](auto& owner) {
              owner.space = "pid:[1]";
              owner.process = 0;
            }),
            "");
}

TEST(StoreLock, IsTakenOverFromADeadHostWhereSlurmHasStartedTheJobAgain) {
  const TemporaryFolder folder;
  const std::string store = folder.file("c.db");
  StoreLock::Owner before = StoreLock::Owner::here();
  before.host = "node7";
  before.job = "41";
  StoreLock::Owner me = StoreLock::Owner::here();
  me.job = "41";
  leave_lock(store, before);
  EXPECT_NE(complaint(store, me), "");  // the same start
  me.restart = 1;
  EXPECT_EQ(complaint(store, me), "");
  leave_lock(store, before);
  me.job = "42";
  EXPECT_NE(complaint(store, me), "");
}

TEST(StoreLock, StaysWhereNobodySaysWhoseItIs) {
  const TemporaryFolder folder;
  const std::string store = folder.file("c.db");
  std::filesystem::create_directory(store + ".lock");
  EXPECT_NE(complaint(store, StoreLock::Owner::here()).find("c.db is locked; if that"),
            std::string::npos);
}

TEST(StoreLock, LeavesNothingBehindWhereTheStoreIsClosedInOrder) {
  const TemporaryFolder folder;
  { const CampaignStore store(folder.file("c.db"), {{"seed", "1"}}); }
  EXPECT_FALSE(std::filesystem::exists(folder.file("c.db.owner")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("c.db.lock")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("c.db.probe")));
}

TEST(StoreLock, SaysWhoWritesTheStore) {
  const TemporaryFolder folder;
  const CampaignStore store(folder.file("c.db"), {{"seed", "1"}});
  const std::string sentence = sentence_of([&] {
    CampaignStore(folder.file("c.db"), {{"seed", "1"}});
  });
  EXPECT_NE(sentence.find("is being written by another program"), std::string::npos)
      << sentence;
  EXPECT_NE(sentence.find(" by process " +
                          std::to_string(StoreLock::Owner::here().process) + " on "),
            std::string::npos)
      << sentence;
}

// SQLite with the log that is written ahead works by a folder as lock, too.
TEST(StoreLock, MakesSqliteLockByAFolder) {
  const TemporaryFolder folder;
  const std::string file = folder.file("c.db");
  StoreLock lock(file, StoreLock::Owner::here(), Method::kFolder);
  journal::SqliteDatabase database(file, journal::SqliteDatabase::Access::kWrite,
                                   lock.vfs());
  database.execute("PRAGMA locking_mode = EXCLUSIVE");
  database.execute("PRAGMA journal_mode = WAL");
  database.execute("CREATE TABLE a(b); INSERT INTO a VALUES(3)");
  lock.take();
  EXPECT_TRUE(std::filesystem::is_directory(file + ".lock"));
  EXPECT_TRUE(std::filesystem::exists(file + "-wal"));
  EXPECT_FALSE(std::filesystem::exists(file + "-shm"));
  EXPECT_NE(complaint(file, StoreLock::Owner::here()), "");
}

}  // namespace
}  // namespace trestle::campaign
