#include "core/base/set_aside.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/core/journal/temporary_folder.h"

namespace trestle::set_aside_test {
namespace {

namespace fs = std::filesystem;

TEST(SetAside, MovesWhatIsThereIntoANumberedFolder) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.file("journal.db")) << "first";
  EXPECT_EQ(set_aside(folder.path(), {"journal.db", "journal.ring"}),
            folder.file("set-aside-1"));
  std::ofstream(folder.file("journal.db")) << "second";
  EXPECT_EQ(set_aside(folder.path(), {"journal.db"}), folder.file("set-aside-2"));
  EXPECT_EQ(set_aside(folder.path(), {"journal.db"}), "");
  EXPECT_FALSE(fs::exists(folder.file("set-aside-3")));
  std::string text;
  std::ifstream(folder.file("set-aside-1/journal.db")) >> text;
  EXPECT_EQ(text, "first");
  std::ifstream(folder.file("set-aside-2/journal.db")) >> text;
  EXPECT_EQ(text, "second");
}

TEST(SetAside, KnowsItsOwnFolders) {
  for (const char* name : {"set-aside-1", "set-aside-20"}) EXPECT_TRUE(is_set_aside(name));
  for (const char* name : {"set-aside-", "set-aside-x", "set-aside", "aside-1"})
    EXPECT_FALSE(is_set_aside(name)) << name;
}

}  // namespace
}  // namespace trestle::set_aside_test
