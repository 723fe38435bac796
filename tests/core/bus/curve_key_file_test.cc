#include "core/bus/curve_key_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace trestle::bus {
namespace {

namespace fs = std::filesystem;

class CurveKeyFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "trestle-keys-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string text(const std::string& name) const {
    std::ostringstream all;
    all << std::ifstream(path(name)).rdbuf();
    return all.str();
  }
  void write(const std::string& name, const std::string& text, mode_t mode = 0600) const {
    std::ofstream(path(name)) << text;
    chmod(path(name).c_str(), mode);
  }
  mode_t mode(const std::string& name) const {
    struct stat facts {};
    stat(path(name).c_str(), &facts);
    return facts.st_mode & 07777;
  }
  std::string complaint(const std::string& name) const {
    try {
      read_secret_key(path(name));
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }

  std::string folder_;
};

TEST_F(CurveKeyFile, HoldsThePairThatWasMadeWithTheSecretForItsOwnerAlone) {
  const mode_t before = umask(0);
  const std::string open_half = make_key_files("west", folder_);
  umask(before);
  EXPECT_TRUE(is_curve_key(open_half));
  EXPECT_EQ(mode("west.key"), 0600U);
  EXPECT_EQ(mode("west.pub"), 0644U);
  const std::string secret = read_secret_key(path("west.key"));
  EXPECT_TRUE(is_curve_key(secret));
  EXPECT_EQ(public_key_of(secret), open_half);
  EXPECT_EQ(text("west.pub"), "trestle public key of west\n" + open_half + "\n");
  EXPECT_EQ(text("west.pub").find(secret), std::string::npos);
}

TEST_F(CurveKeyFile, IsNeverOverwritten) {
  make_key_files("west", folder_);
  const std::string secret = text("west.key");
  EXPECT_THROW(make_key_files("west", folder_), std::runtime_error);
  EXPECT_EQ(text("west.key"), secret);
  fs::remove(path("west.key"));
  EXPECT_THROW(make_key_files("west", folder_), std::runtime_error);
  EXPECT_FALSE(fs::exists(path("west.key"))) << "the .pub file is of another pair";
  fs::create_symlink(path("elsewhere"), path("east.key"));
  EXPECT_THROW(make_key_files("east", folder_), std::runtime_error);
  EXPECT_FALSE(fs::exists(path("elsewhere")));
}

TEST_F(CurveKeyFile, HasANameThatStaysInItsFolder) {
  for (const std::string name : {"", "../west", "a/b", ".west", "-west", "we st", "w\n"})
    EXPECT_THROW(make_key_files(name, folder_), std::runtime_error) << name;
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(CurveKeyFile, IsRefusedWhereOthersMayReadIt) {
  make_key_files("west", folder_);
  for (const mode_t mode : {0640U, 0604U, 0620U, 0601U}) {
    chmod(path("west.key").c_str(), mode);
    EXPECT_NE(complaint("west.key").find("chmod 600 " + path("west.key")),
              std::string::npos)
        << mode << complaint("west.key");
  }
  chmod(path("west.key").c_str(), 0400);
  EXPECT_EQ(complaint("west.key"), "");
}

TEST_F(CurveKeyFile, IsRefusedWhereItIsNoKey) {
  EXPECT_NE(complaint("none.key").find("No such file"), std::string::npos);
  make_key_files("west", folder_);
  chmod(path("west.pub").c_str(), 0600);
  EXPECT_NE(complaint("west.pub").find("is a public key"), std::string::npos);
  fs::create_directory(path("folder"));
  EXPECT_NE(complaint("folder").find("is not a plain file"), std::string::npos);
  mkfifo(path("pipe").c_str(), 0600);
  EXPECT_NE(complaint("pipe").find("is not a plain file"), std::string::npos);
  const std::string good = text("west.key");
  const std::string secret = read_secret_key(path("west.key"));
  const std::string head = good.substr(0, good.find('\n') + 1);
  for (const std::string& bad :
       {std::string(), head, secret + "\n", head + secret.substr(1) + "\n",
        head + secret + "x\n", head + std::string(40, '#') + "\n",
        head + secret.substr(1) + " \n", head + secret + "\n" + secret + "\n",
        good + std::string(2000, '\n')}) {
    write("bad.key", bad);
    EXPECT_NE(complaint("bad.key").find("is no secret key of trestle"), std::string::npos)
        << bad;
    EXPECT_EQ(complaint("bad.key").find(secret), std::string::npos) << "never printed";
  }
  write("good.key", good);
  EXPECT_EQ(complaint("good.key"), "");
}

}  // namespace
}  // namespace trestle::bus
