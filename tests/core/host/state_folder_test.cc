#include "core/host/state_folder.h"

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

namespace trestle::host::state_folder_test {
namespace {

/// The three variables, empty; as they were when this ends.
class StateFolder : public testing::Test {
 protected:
  StateFolder() {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      const char* const value = std::getenv(kNames.at(i));
      if (value != nullptr) before_.at(i) = value;
      unsetenv(kNames.at(i));
    }
  }
  ~StateFolder() override {
    for (std::size_t i = 0; i < kNames.size(); ++i)
      if (before_.at(i))
        setenv(kNames.at(i), before_.at(i)->c_str(), 1);
      else
        unsetenv(kNames.at(i));
  }
  static void set(const char* name, const char* value) { setenv(name, value, 1); }

 private:
  static constexpr std::array kNames{"TRESTLE_STATE", "XDG_STATE_HOME", "HOME"};
  std::array<std::optional<std::string>, kNames.size()> before_;
};

TEST_F(StateFolder, IsTheOneThatIsNamedThenXdgsThenOneOfTheHome) {
  set("HOME", "/people/ada");
  EXPECT_EQ(state_folder(), "/people/ada/.local/state/trestle");
  set("XDG_STATE_HOME", "/srv/state");
  EXPECT_EQ(state_folder(), "/srv/state/trestle");
  set("TRESTLE_STATE", "/var/lib/trestle/state");
  EXPECT_EQ(state_folder(), "/var/lib/trestle/state");
}

// Two servers that were started in different folders must find the same lock.
TEST_F(StateFolder, IsNoPlaceBelowTheWorkingDirectory) {
  set("HOME", "/people/ada");
  for (const char* relative : {"state", "./state", "../state", ""}) {
    set("XDG_STATE_HOME", relative);
    EXPECT_EQ(state_folder(), "/people/ada/.local/state/trestle") << relative;
  }
  set("TRESTLE_STATE", "state");
  try {
    state_folder();
    FAIL() << "a relative TRESTLE_STATE was taken";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "TRESTLE_STATE is state; must be an absolute path of a folder");
  }
}

TEST_F(StateFolder, IsOfTheAccountsHomeWhereTheEnvironmentNamesNone) {
  const passwd* const account = getpwuid(geteuid());
  if (account == nullptr || account->pw_dir[0] != '/')
    GTEST_SKIP() << "SKIPPED: the account of this test has no home folder";
  const std::string expected = std::string(account->pw_dir) + "/.local/state/trestle";
  EXPECT_EQ(state_folder(), expected) << "as of a service";
  set("HOME", "somewhere");
  EXPECT_EQ(state_folder(), expected);
}

}  // namespace
}  // namespace trestle::host::state_folder_test
