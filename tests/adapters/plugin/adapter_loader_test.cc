#include "adapters/plugin/adapter_loader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/setting_error.h"

namespace trestle::plugin::adapter_loader_test {
namespace {

std::string plugin(const std::string& name) {
  return std::string(TRESTLE_TEST_PLUGINS) + "/" + name + ".so";
}

/// What the loader says of a file; empty: it takes it.
std::string refusal(const std::string& file) {
  try {
    const LoadedAdapter loaded(file, "adapter.file");
  } catch (const SettingError& error) {
    EXPECT_EQ(error.problems().front().path, "adapter.file");
    return error.problems().front().what;
  }
  return {};
}

void expect_says(const std::string& file, const std::string& words) {
  const std::string said = refusal(file);
  EXPECT_NE(said.find(words), std::string::npos) << said;
}

TEST(AdapterLoader, TakesAPluginOfThisVersion) {
  const LoadedAdapter loaded(plugin("misbehaving"), "adapter.file");
  EXPECT_EQ(loaded.table().abi, TRESTLE_SITE_ADAPTER_ABI);
  EXPECT_EQ(refusal(plugin("misbehaving")), "");
}

// A laboratory's plug-in may link one of ours: dlsym() would find that one's entry.
TEST(AdapterLoader, TakesNoEntryOfALibraryThatThePluginLinks) {
  EXPECT_NE(LoadedAdapter(plugin("with_settings"), "adapter.file").settings_table(),
            nullptr);
  const LoadedAdapter loaded(plugin("linking"), "adapter.file");
  EXPECT_EQ(loaded.settings_table(), nullptr);
}

TEST(AdapterLoader, SaysThatThereIsNoFile) {
  expect_says("nowhere/x.so", "there is no file nowhere/x.so");
  expect_says(TRESTLE_TEST_PLUGINS, "is no file");
}

TEST(AdapterLoader, SaysThatAFileIsNoSharedObject) {
  const auto file = std::filesystem::path(testing::TempDir()) / "text.so";
  std::ofstream(file) << "hello";
  expect_says(file.string(), "cannot load the plug-in");
  std::filesystem::remove(file);
}

TEST(AdapterLoader, SaysThatTheEntryIsMissing) {
  expect_says(plugin("no_entry"), "exports no function trestle_site_adapter_v1");
}

TEST(AdapterLoader, SaysThatAPluginIsForALaterVersion) {
  expect_says(plugin("later_entry"), "speaks version 2 of site_adapter_abi.h alone");
}

TEST(AdapterLoader, RefusesATableThatIsNone) {
  expect_says(plugin("no_table"), "returns NULL");
  expect_says(plugin("other_version"), "says in its table that it speaks version 7");
  expect_says(plugin("other_size"), "has a table of 96 bytes, version 1 has 104, or 112");
  expect_says(plugin("no_functions"), "has a table without open");
  expect_says(plugin("small_contacts"), "has a table of contacts of 8 bytes");
  expect_says(plugin("no_contacts"), "has a table of contacts without inputs");
}

TEST(AdapterLoader, FindsTheContactsByTheSizeOfTheTable) {
  EXPECT_NE(LoadedAdapter(plugin("misbehaving"), "f").table().contacts, nullptr);
  EXPECT_EQ(LoadedAdapter(plugin("first_release"), "f").table().contacts, nullptr)
      << "what stands behind the table of the first release is not a part of it";
}

}  // namespace
}  // namespace trestle::plugin::adapter_loader_test
