#include "gateway/operator/operator_socket.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <system_error>

namespace trestle::operators {
namespace {

constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;
constexpr int kWaiting = 16;

/// sun_path holds 107 letters, so the folder is named by its open descriptor.
sockaddr_un address_in(const FileDescriptor& folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s",
                folder.number(), kOperatorSocket);
  return address;
}

int connect_in(const FileDescriptor& folder, const FileDescriptor& socket) noexcept {
  const sockaddr_un address = address_in(folder);
  return connect(socket.number(), reinterpret_cast<const sockaddr*>(&address),
                 sizeof address);
}

FileDescriptor unix_socket() noexcept {
  return FileDescriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw std::runtime_error(path + ": " + what);
}

/// Another folder would cut a test that was held, or died, off from its record.
constexpr const char* kRemedy =
    "; a new test can take another folder (--out); one that is to be resumed needs this "
    "one: see to it, then start again";

[[noreturn]] void fail_with(int error, const std::string& path) {
  if (error == EROFS)
    fail(path,
         "cannot listen to operators: the file system is read-only; make it "
         "writable, then start again");
  fail(path, "cannot listen to operators (" + std::generic_category().message(error) + ")" +
                 kRemedy);
}

void lock(const FileDescriptor& folder, const std::string& path) {
  // Some network file systems lock no folders; there the socket alone must tell.
  if (flock(folder.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    fail(path, "a program serves this folder already");
}

void remove_stale(const FileDescriptor& folder, const std::string& path) {
  struct stat found {};
  if (fstatat(folder.number(), kOperatorSocket, &found, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (!S_ISSOCK(found.st_mode))
    fail(path, std::string(kOperatorSocket) + " in it is no socket; remove it");
  const FileDescriptor probe = unix_socket();
  if (connect_in(folder, probe) == 0 || errno == EAGAIN)
    fail(path, "a program serves this folder already");
  if (unlinkat(folder.number(), kOperatorSocket, 0) != 0) fail_with(errno, path);
}

}  // namespace

OperatorSocket::OperatorSocket(const std::string& folder)
    : folder_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
      socket_(unix_socket()) {
  if (!folder_ || !socket_) fail_with(errno, folder);
  lock(folder_, folder);
  remove_stale(folder_, folder);
  // On Linux the file that bind makes has the mode that the socket has by then, so it is
  // never open to others, and no umask is touched that other threads share.
  const sockaddr_un address = address_in(folder_);
  if (fchmod(socket_.number(), kOwnerOnly) != 0 ||
      bind(socket_.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
          0)
    fail_with(errno, folder);
  struct stat made {};
  if (fstatat(folder_.number(), kOperatorSocket, &made, AT_SYMLINK_NOFOLLOW) != 0 ||
      (made.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    unlinkat(folder_.number(), kOperatorSocket, 0);
    fail(folder, std::string(kOperatorSocket) +
                     " would be open to other users on this file system" + kRemedy);
  }
  if (listen(socket_.number(), kWaiting) != 0) fail_with(errno, folder);
}

OperatorSocket::~OperatorSocket() {
  unlinkat(folder_.number(), kOperatorSocket, 0);
}

FileDescriptor OperatorSocket::accept() const noexcept {
  return FileDescriptor(
      accept4(socket_.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

FileDescriptor connect_operator_socket(const std::string& folder) noexcept {
  const FileDescriptor place(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!place) return {};
  FileDescriptor socket = unix_socket();
  if (!socket || connect_in(place, socket) == 0) return socket;
  const int why = errno;
  socket = FileDescriptor();
  errno = why;
  return {};
}

namespace {

std::optional<ucred> credentials_of(const FileDescriptor& socket) noexcept {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (getsockopt(socket.number(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0)
    return std::nullopt;
  return credentials;
}

}  // namespace

std::optional<uid_t> peer_user(const FileDescriptor& socket) noexcept {
  const std::optional<ucred> credentials = credentials_of(socket);
  if (!credentials) return std::nullopt;
  return credentials->uid;
}

pid_t process_behind(const FileDescriptor& socket) noexcept {
  const std::optional<ucred> credentials = credentials_of(socket);
  return credentials ? credentials->pid : 0;
}

}  // namespace trestle::operators
