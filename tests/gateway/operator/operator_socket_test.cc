#include "gateway/operator/operator_socket.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <exception>
#include <fstream>
#include <memory>
#include <string>

#include "tests/gateway/operator/operator_server_case.h"

namespace trestle::operators {
namespace {

using OperatorSocketTest = OperatorServerTest;

/// A socket that is no OperatorServer's.
FileDescriptor listening_at(const std::string& path) {
  FileDescriptor living(socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  EXPECT_EQ(bind(living.number(), reinterpret_cast<sockaddr*>(&address), sizeof address),
            0);
  EXPECT_EQ(listen(living.number(), 1), 0);
  return living;
}

constexpr const char* kNotPrepared = "not prepared";

/// Returns what the refusal says to another process. @param prepare  false: it cannot
template <typename Prepare>
std::string refused_in_a_child(const std::string& folder, Prepare prepare) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    std::string said = kNotPrepared;
    try {
      if (prepare()) {
        const OperatorSocket served(folder);
        said = "served";
      }
    } catch (const std::exception& error) {
      said = error.what();
    }
    const ssize_t written = write(ends[1], said.data(), said.size());
    _exit(written == static_cast<ssize_t>(said.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::array<char, 1000> bytes{};
  const ssize_t count = read(ends[0], bytes.data(), bytes.size());
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

TEST_F(OperatorSocketTest, IsOpenToItsOwnerAlone) {
  const mode_t before = umask(0);
  OperatorServer server(settings());
  umask(before);
  struct stat found {};
  ASSERT_EQ(stat(folder_.path(kOperatorSocket).c_str(), &found), 0);
  EXPECT_TRUE(S_ISSOCK(found.st_mode));
  EXPECT_EQ(found.st_mode & 07777, 0600u);
}

TEST_F(OperatorSocketTest, KnowsWhoMayAsk) {
  EXPECT_TRUE(is_operator(1000, 1000));
  EXPECT_TRUE(is_operator(0, 1000));
  EXPECT_FALSE(is_operator(1001, 1000));
  EXPECT_FALSE(is_operator(1001, 0));
}

TEST_F(OperatorSocketTest, RefusesAnotherUserWhateverTheMode) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  auto server = std::make_unique<OperatorServer>(settings());
  ASSERT_EQ(chmod(folder_.path().c_str(), 0755), 0);
  ASSERT_EQ(chmod(folder_.path(kOperatorSocket).c_str(), 0666), 0);
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (setuid(65534) != 0) _exit(1);
    Caller stranger(folder_.path());
    stranger.says("{\"verb\":\"stop\"}\n");
    if (write(ends[1], "x", 1) != 1) _exit(2);
    std::string heard;
    while (!stranger.at_end()) heard += stranger.hears();
    _exit(heard.find("only the user who runs this program") == std::string::npos ? 3 : 0);
  }
  char byte = 0;
  ASSERT_EQ(read(ends[0], &byte, 1), 1);
  look(*server, 5);
  EXPECT_TRUE(node_.orders.empty());
  server.reset();
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(OperatorSocketTest, RefusesAFolderThatAnotherIsAboutToServe) {
  const FileDescriptor folder(open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY));
  ASSERT_EQ(flock(folder.number(), LOCK_EX | LOCK_NB), 0);
  EXPECT_THROW(OperatorServer server(settings()), std::runtime_error);
}

TEST_F(OperatorSocketTest, RefusesAFolderThatIsServedAlready) {
  OperatorServer first(settings());
  try {
    OperatorServer second(settings());
    FAIL() << "two serve one folder";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), folder_.path() + ": a program serves this folder already");
  }
  Caller caller(folder_.path());
  EXPECT_EQ(refusal(ask(first, caller, R"({"verb":"status"})")), "");
}

TEST_F(OperatorSocketTest, RefusesALivingSocketEvenWhereFoldersCannotBeLocked) {
  const FileDescriptor living = listening_at(folder_.path(kOperatorSocket));
  EXPECT_THROW(OperatorServer server(settings()), std::runtime_error);
  EXPECT_TRUE(Caller(folder_.path()));
}

TEST_F(OperatorSocketTest, ReplacesTheSocketOfADeadProcess) {
  { const FileDescriptor dead = listening_at(folder_.path(kOperatorSocket)); }
  EXPECT_FALSE(Caller(folder_.path()));
  EXPECT_EQ(errno, ECONNREFUSED);
  OperatorServer server(settings());
  Caller caller(folder_.path());
  EXPECT_EQ(refusal(ask(server, caller, R"({"verb":"status"})")), "");
}

TEST_F(OperatorSocketTest, LeavesAFileThatIsNoSocketAlone) {
  std::ofstream(folder_.path(kOperatorSocket)) << "mine";
  EXPECT_THROW(OperatorServer server(settings()), std::runtime_error);
  EXPECT_TRUE(std::filesystem::is_regular_file(folder_.path(kOperatorSocket)));
}

TEST_F(OperatorSocketTest, TakesItsSocketAwayAndServesAgain) {
  { const OperatorServer server(settings()); }
  EXPECT_FALSE(std::filesystem::exists(folder_.path(kOperatorSocket)));
  EXPECT_NO_THROW(OperatorServer server(settings()));
}

TEST_F(OperatorSocketTest, ServesAFolderWhosePathNoSocketAddressHolds) {
  const std::string deep =
      folder_.path(std::string(120, 'a') + "/" + std::string(200, 'b'));
  std::filesystem::create_directories(deep);
  OperatorServer server(settings(deep));
  EXPECT_TRUE(std::filesystem::is_socket(deep + "/" + kOperatorSocket));
  Caller caller(deep);
  EXPECT_EQ(refusal(ask(server, caller, R"({"verb":"status"})")), "");
}

TEST_F(OperatorSocketTest, SaysWhyTheSocketOfADeadProcessStays) {
  { const FileDescriptor dead = listening_at(folder_.path(kOperatorSocket)); }
  ASSERT_EQ(chmod(folder_.path().c_str(), 0555), 0);
  const std::string found = refused_in_a_child(folder_.path(), [] {
    return geteuid() != 0 || setuid(65534) == 0;  // root may write everywhere
  });
  ASSERT_EQ(chmod(folder_.path().c_str(), 0700), 0);
  EXPECT_EQ(found, folder_.path() +
                       ": cannot listen to operators (Permission denied); a new test can "
                       "take another folder (--out); one that is to be resumed needs this "
                       "one: see to it, then start again");
}

TEST_F(OperatorSocketTest, SaysThatTheFileSystemIsReadOnly) {
  { const FileDescriptor dead = listening_at(folder_.path(kOperatorSocket)); }
  const std::string folder = folder_.path();
  const std::string found = refused_in_a_child(folder, [&folder] {
    return unshare(CLONE_NEWNS) == 0 &&
           mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           mount(folder.c_str(), folder.c_str(), nullptr, MS_BIND, nullptr) == 0 &&
           mount(nullptr, folder.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY,
                 nullptr) == 0;
  });
  if (found == kNotPrepared) GTEST_SKIP() << "only root can mount a file system read-only";
  EXPECT_EQ(found, folder +
                       ": cannot listen to operators: the file system is read-only; make "
                       "it writable, then start again");
}

TEST_F(OperatorSocketTest, SaysWhatIsWrongWithAFolderThatIsNotThere) {
  EXPECT_THROW(OperatorServer server(settings(folder_.path("none"))), std::runtime_error);
}

}  // namespace
}  // namespace trestle::operators
