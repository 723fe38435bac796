#include "core/host/person.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <memory>

#include "core/types/known_person.h"

namespace trestle::host::person_test {
namespace {

namespace fs = std::filesystem;

TEST(Person, IsKnownByTheLoginWhateverTheAccount) {
  const std::string host = host_name();
  EXPECT_EQ(person("ada", "ada", "").text, "ada@" + host);
  EXPECT_EQ(person("root", "ada", "").text, "ada (root@" + host + ")") << "by sudo";
  EXPECT_TRUE(person("root", "ada", "").known);
}

TEST(Person, IsUnknownWhereNobodyLoggedInAndNobodySaid) {
  const Person nobody = person("root", "", "");
  EXPECT_EQ(nobody.text, "unknown (root@" + host_name() + ")");
  EXPECT_FALSE(nobody.known);
  EXPECT_TRUE(is_unknown_person(nobody.text));
  const Person grace = person("root", "", "grace");
  EXPECT_EQ(grace.text, "grace (root@" + host_name() + ")");
  EXPECT_TRUE(grace.known);
  EXPECT_FALSE(is_unknown_person(grace.text));
}

TEST(Person, IsANumberWhereTheDirectoryOfUsersDoesNotAnswer) {
  const auto answers = std::make_shared<std::promise<std::string>>();
  const std::shared_future<std::string> answer = answers->get_future().share();
  EXPECT_EQ(account_name(7, [answer](uid_t /*user*/) { return answer.get(); }), "uid 7");
  answers->set_value("ada");
  EXPECT_EQ(account_name(7, [](uid_t /*user*/) { return std::string(); }), "uid 7");
  EXPECT_EQ(account_name(0), "root");
}

TEST(Person, ReadsTheLoginFromTheKernel) {
  std::string proc = (fs::temp_directory_path() / "trestle-proc-XXXXXX").string();
  ASSERT_NE(mkdtemp(proc.data()), nullptr);
  fs::create_directory(proc + "/17");
  const auto says = [&](const std::string& text) {
    std::ofstream(proc + "/17/loginuid") << text;
    return login_of(17, proc);
  };
  EXPECT_EQ(says("1000"), std::optional<uid_t>(1000));
  EXPECT_EQ(says("0\n"), std::optional<uid_t>(0));
  EXPECT_EQ(says("4294967295"), std::nullopt) << "nobody logged in";
  EXPECT_EQ(says(""), std::nullopt);
  EXPECT_EQ(says("x"), std::nullopt);
  EXPECT_EQ(login_of(18, proc), std::nullopt);
  EXPECT_EQ(login_of(0, proc), std::nullopt);
  fs::remove_all(proc);
}

TEST(Person, IsNamedWithoutTheBlanksAroundTheName) {
  EXPECT_EQ(person("root", "", "  grace ").text, "grace (root@" + host_name() + ")");
  const Person nobody = person("root", "", "  ");
  EXPECT_FALSE(nobody.known);
  EXPECT_TRUE(is_unknown_person(nobody.text));
  // TRESTLE_AS is no option that is checked where it is read.
  EXPECT_FALSE(person("root", "", "Integrator").known);
}

TEST(Person, HasAReadableName) {
  EXPECT_EQ(refusal_of_name(""), "");
  EXPECT_EQ(refusal_of_name("Grace Hopper"), "");
  EXPECT_EQ(refusal_of_name("\u674e"), "");
  EXPECT_EQ(refusal_of_name("\u00c5sa 2"), "");
  EXPECT_EQ(refusal_of_name("\ud55c"), "");
  EXPECT_EQ(refusal_of_name("\u00b5"), "");
  EXPECT_EQ(refusal_of_name("\u00d8"), "");
  for (const std::string name :
       {"unknown",      "integrator", "a\nb",      "ada (root@lab)",
        "Unknown",      "INTEGRATOR", " unknown ", " ",
        "   ",          "-",          "7",         "...",
        "\u00a0",       "\u3000",     "\u200b",    "\ufeff",
        "\u00b7",       "\u00a7 7",   "\u00d7",    "\u3164",
        "\u115f\u1160", "\uffa0",     "\u2800",    "\u2192",
        "\u1680",       "\ufe0f",     "\u034f"})
    EXPECT_NE(refusal_of_name(name), "") << name;
  EXPECT_NE(refusal_of_name(std::string(65, 'x')), "");
}

}  // namespace
}  // namespace trestle::host::person_test
