#include "studies/campaign/campaign_store.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "tests/core/journal/temporary_folder.h"

namespace trestle::campaign {
namespace {

using testing::sentence_of;
using testing::TemporaryFolder;

const CampaignIdentity kStoredIdentity{{"seed", "1"}, {"test", "aa"}};

FinishedRun finished(std::int64_t run, Results results,
                     RunOutcome outcome = RunOutcome::kStable) {
  return {run,
          outcome,
          outcome == RunOutcome::kStable ? "" : "because",
          0.5,
          std::move(results),
          {}};
}

TEST(CampaignStore, GivesRunsBackInTheirOrderWhicheverCameFirst) {
  const TemporaryFolder folder;
  {
    CampaignStore store(folder.file("c.db"), kStoredIdentity);
    store.add(finished(0, {{"b", 1.0}, {"a", 2.0}}));
    store.add(finished(2, {{"b", 0.1}, {"z", 4.0}, {"y", 1.0 / 3.0}}));
    store.add(finished(1, {{"a", -0.0}}, RunOutcome::kUnstable));
  }
  CampaignStore store(folder.file("c.db"), kStoredIdentity);
  EXPECT_EQ(store.finished(), (std::set<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(store.count(RunOutcome::kUnstable, 2), 1);
  const CampaignRecord record = store.read(2);
  EXPECT_EQ(record.names, (std::vector<std::string>{"b", "a", "y", "z"}));
  ASSERT_EQ(record.runs.size(), 3u);
  EXPECT_EQ(record.runs[1].run, 1);
  EXPECT_EQ(record.runs[1].reason, "because");
  EXPECT_TRUE(std::isnan(record.runs[1].values[0]));
  EXPECT_TRUE(std::signbit(record.runs[1].values[1]));
  EXPECT_EQ(record.runs[2].values[2], 1.0 / 3.0);
  EXPECT_EQ(record.runs[2].wall, 0.5);
  EXPECT_EQ(store.read(1).runs.size(), 2u);
}

TEST(CampaignStore, RefusesAnotherCampaignAndSaysWhatDiffers) {
  const TemporaryFolder folder;
  { const CampaignStore store(folder.file("c.db"), kStoredIdentity); }
  EXPECT_EQ(sentence_of([&] {
              CampaignStore(folder.file("c.db"), {{"seed", "2"}, {"test", "bb"}});
            }),
            folder.file("c.db") +
                " holds runs of another campaign (the seed was 1 and is 2, the test is "
                "another), which cannot stand in one table with these; name another folder "
                "with --out");
  { const CampaignStore store(folder.file("c.db"), kStoredIdentity); }
}

TEST(CampaignStore, SaysUpToWhichRunItIsComplete) {
  const TemporaryFolder folder;
  {
    CampaignStore store(folder.file("c.db"), kStoredIdentity);
    EXPECT_EQ(store.complete_to(), -1);
    store.add(finished(0, {{"a", 1.0}}));
    store.set_complete(12);
    store.set_complete(4);  // fewer runs were asked for: there are still twelve
  }
  CampaignStore store(folder.file("c.db"), kStoredIdentity);
  EXPECT_EQ(store.complete_to(), 12);
  EXPECT_EQ(store.finished().size(), 1u);
}

/// What is in the store after `act` has ended its process without closing it.
template <typename Act>
std::size_t stored_after_kill(const std::string& file, Act act) {
  const pid_t child = fork();
  if (child == 0) {
    CampaignStore store(file, kStoredIdentity);
    act(store);
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  return CampaignStore(file, kStoredIdentity).finished().size();
}

TEST(CampaignStore, KeepsWhatWasCommittedBeforeItsProcessWasKilled) {
  const TemporaryFolder folder;
  EXPECT_EQ(stored_after_kill(folder.file("a.db"),
                              [](CampaignStore& store) {
                                store.add(finished(0, {{"a", 1.0}}));
                                store.add(finished(1, {{"b", 1.0}}));
                                store.commit();
                                store.add(finished(2, {{"c", 1.0}}));
                              }),
            2u);
  EXPECT_EQ(stored_after_kill(folder.file("b.db"),
                              [](CampaignStore& store) {
                                for (std::int64_t run = 0; run < 70; ++run) {
                                  store.add(finished(run, {{"a", 1.0}}));
                                  if (run == 63) store.commit_if_due();
                                }
                              }),
            64u);
}

/// The sentence of a process to which permissions apply, which are nothing to root.
std::string sentence_without_privileges(const std::string& file) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && setuid(kNobody) != 0) _exit(1);
    const std::string said = sentence_of([&] { CampaignStore(file, kStoredIdentity); });
    _exit(write(ends[1], said.data(), said.size()) < 0 ? 1 : 0);
  }
  close(ends[1]);
  char text[1000];
  const ssize_t size = read(ends[0], text, sizeof text);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return {text, static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

/// SQLite calls the lock of a file that it opened for reading alone an error of the disk.
TEST(CampaignStore, SaysThatItMayNotBeWrittenAndBlamesNoDisk) {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  const std::string file = folder.file("c.db");
  { const CampaignStore store(file, kStoredIdentity); }
  fs::permissions(file, fs::perms(0444));
  fs::permissions(folder.path(), fs::perms(0555));
  EXPECT_EQ(
      sentence_without_privileges(file),
      "journal " + file + " cannot be written; check the permissions of it and its folder");
  fs::permissions(folder.path(), fs::perms(0755));  // it is removed
}

}  // namespace
}  // namespace trestle::campaign
