#include "core/base/lasting_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/core/journal/temporary_folder.h"

namespace trestle::lasting_file_test {
namespace {

namespace fs = std::filesystem;
using testing::sentence_of;
using testing::TemporaryFolder;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t names_in(const std::string& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(LastingFile, IsThereAsAWholeAndLeavesNoDraft) {
  const TemporaryFolder folder;
  const std::string path = folder.file("effective.yaml");
  keep_file(path, "first");
  // Whoever has opened the old one reads it to its end.
  std::ifstream reader(path);
  keep_file(path, std::string(1U << 20U, 'x'), 0600);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(reader), {}), "first");
  EXPECT_EQ(content(path), std::string(1U << 20U, 'x'));
  struct stat facts {};
  ASSERT_EQ(::stat(path.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
  EXPECT_EQ(names_in(folder.path()), 1U);
}

TEST(LastingFile, KeepsTheOldOneWhereTheNewOneDoesNotFit) {
  const TemporaryFolder folder;
  const std::string path = folder.file("summary.json");
  keep_file(path, "old");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit little{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &little);
    const std::string why = sentence_of([&] { keep_file(path, std::string(5000, 'x')); });
    ::_exit(why.starts_with(path + ": cannot be written") ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(content(path), "old");
  EXPECT_EQ(names_in(folder.path()), 1U);
}

TEST(LastingFile, IsNewWhereItMustBe) {
  const TemporaryFolder folder;
  const std::string path = folder.file("lab.key");
  keep_new_file(path, "secret", 0600);
  EXPECT_EQ(sentence_of([&] { keep_new_file(path, "other", 0600); }),
            path + ": exists, and is never written over; move it away first");
  EXPECT_EQ(content(path), "secret");
  EXPECT_EQ(names_in(folder.path()), 1U);
}

TEST(LastingFile, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string nowhere = folder.file("nowhere/file");
  EXPECT_TRUE(sentence_of([&] {
                keep_file(nowhere, "");
              }).starts_with(nowhere + ": cannot be made"));
  EXPECT_NE(sentence_of([&] { publish_file(nowhere, folder.file("a")); }), "");
  EXPECT_NE(sentence_of([&] { move_file(nowhere, folder.file("a")); }), "");
  keep_file(folder.file("file"), "");
  const std::string below = folder.file("file/folder");
  EXPECT_TRUE(
      sentence_of([&] { make_folders(below); }).starts_with(below + ": cannot be made"));
  EXPECT_FALSE(write_in_place(nowhere, "", 4096));
}

TEST(LastingFile, TakesThePlaceOfNoDeviceAndOfNoRecord) {
  const TemporaryFolder folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(sentence_of([&] { keep_file(pipe, "x"); }).find("no plain file"),
            std::string::npos);
  EXPECT_TRUE(fs::is_fifo(pipe));
  const std::string record = folder.file("of another name");
  std::ofstream(record) << "SQLite format 3" << '\0' << "pages";
  EXPECT_NE(sentence_of([&] { keep_file(record, "x"); }).find("it is a record"),
            std::string::npos);
  std::ofstream(folder.file("west.ring")) << "pages";
  EXPECT_NE(sentence_of([&] { keep_file(folder.file("west.ring"), "x"); }), "");
  EXPECT_EQ(content(folder.file("west.ring")), "pages");
  EXPECT_EQ(names_in(folder.path()), 3U);
}

TEST(LastingFile, TakesADraftThatSomebodyElseWrote) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("draft")) << "copy";
  publish_file(folder.file("draft"), folder.file("west.db"));
  EXPECT_EQ(content(folder.file("west.db")), "copy");
  EXPECT_EQ(names_in(folder.path()), 1U);
}

TEST(LastingFile, MakesFoldersAboveFolders) {
  const TemporaryFolder folder;
  make_folders(folder.file("a/b/c/"));
  make_folders(folder.file("a/b/c"));
  EXPECT_TRUE(fs::is_directory(folder.file("a/b/c")));
}

TEST(LastingFile, WritesInPlaceWhatFitsIntoItsRoom) {
  const TemporaryFolder folder;
  const std::string path = folder.file("fault.room");
  ASSERT_TRUE(write_in_place(path, "", 4096));
  EXPECT_EQ(content(path), std::string(4096, '\n'));
  ASSERT_TRUE(write_in_place(path, "a sentence", 4096));
  EXPECT_EQ(content(path), "a sentence" + std::string(4086, '\n'));
  ASSERT_TRUE(write_in_place(path, std::string(9000, 'x'), 4096));
  EXPECT_EQ(content(path), std::string(4095, 'x') + "\n");
  ASSERT_TRUE(write_in_place(path, "b", 5000));
  EXPECT_EQ(content(path), "b" + std::string(4999, '\n'));
}

// On a full disk the room that a file has is all that there is.
TEST(LastingFile, KeepsItsRoomWhereNothingCanBeWritten) {
  const TemporaryFolder folder;
  const std::string path = folder.file("fault.room");
  ASSERT_TRUE(write_in_place(path, "first", 4096));
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_FSIZE, &none);
    ::_exit(write_in_place(path, "second", 4096) ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(content(path), "first" + std::string(4091, '\n'));
}

}  // namespace
}  // namespace trestle::lasting_file_test
