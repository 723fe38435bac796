#include "adapters/driver/hello.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "adapters/driver/patient_poll.h"

namespace trestle::driver {
namespace {

constexpr std::size_t kLongestMessage = 150'000;  // the socket's buffer takes it
const char* const kVersion = "trestle driver 1";

FileDescriptor new_socket() {
  return FileDescriptor(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
}

/// A path that fits into an address, however deep the folder is.
sockaddr_un address_in(const FileDescriptor& folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/socket",
                folder.number());
  return address;
}

FileDescriptor open_folder(const std::string& folder) {
  return FileDescriptor(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/// Texts of a message, each with a zero at its end.
std::string joined(const std::vector<std::string>& texts) {
  std::string message;
  for (const std::string& text : texts) message += text + '\0';
  return message;
}

std::vector<std::string> texts_of(const std::string& message) {
  std::vector<std::string> texts;
  for (std::size_t from = 0; from < message.size();) {
    const std::size_t end = message.find('\0', from);
    if (end == std::string::npos) return {};
    texts.push_back(message.substr(from, end - from));
    from = end + 1;
  }
  return texts;
}

bool send_message(int socket, const std::string& message, int descriptor) {
  if (message.size() > kLongestMessage) return false;
  iovec data{const_cast<char*>(message.data()), message.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  if (descriptor >= 0) {
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    cmsghdr* const part = CMSG_FIRSTHDR(&header);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(part), &descriptor, sizeof(int));
  }
  return sendmsg(socket, &header, MSG_NOSIGNAL) == static_cast<ssize_t>(message.size());
}

std::vector<std::string> receive_message(int socket, int patience_ms,
                                         FileDescriptor* descriptor) {
  if (!patient_poll(socket, POLLIN, patience_ms)) return {};
  std::string message(kLongestMessage, '\0');
  iovec data{message.data(), message.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  const ssize_t size = recvmsg(socket, &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  const cmsghdr* const part = size < 0 ? nullptr : CMSG_FIRSTHDR(&header);
  if (part != nullptr && part->cmsg_type == SCM_RIGHTS) {
    int number = -1;
    std::memcpy(&number, CMSG_DATA(part), sizeof number);
    FileDescriptor came(number);
    if (descriptor != nullptr) *descriptor = std::move(came);
  }
  if (size <= 0) return {};
  message.resize(static_cast<std::size_t>(size));
  std::vector<std::string> texts = texts_of(message);
  if (texts.empty() || texts.front() != kVersion) return {};
  return texts;
}

}  // namespace

std::string stamp_of(const std::string& file) {
  struct stat is {};
  if (stat(file.c_str(), &is) != 0) return {};
  char text[100];
  std::snprintf(text, sizeof text, "%llu %llu %lld %lld.%09ld",
                static_cast<unsigned long long>(is.st_dev),
                static_cast<unsigned long long>(is.st_ino),
                static_cast<long long>(is.st_size),
                static_cast<long long>(is.st_mtim.tv_sec), is.st_mtim.tv_nsec);
  return text;
}

bool send_hello(int socket, const Hello& hello) {
  return send_message(socket, joined({kVersion, hello.file, hello.stamp, hello.settings}),
                      -1);
}

bool send_reply(int socket, Welcome welcome, const std::string& words, int page) {
  return send_message(
      socket,
      joined({kVersion, std::to_string(static_cast<std::uint32_t>(welcome)), words}), page);
}

std::optional<Hello> receive_hello(int socket, int patience_ms) {
  const std::vector<std::string> texts = receive_message(socket, patience_ms, nullptr);
  if (texts.size() != 4) return std::nullopt;
  return Hello{texts[1], texts[2], texts[3]};
}

std::optional<Reply> receive_reply(int socket, int patience_ms) {
  Reply reply;
  const std::vector<std::string> texts = receive_message(socket, patience_ms, &reply.page);
  if (texts.size() != 3 || texts[1].size() != 1 || texts[1][0] < '0' || texts[1][0] > '5')
    return std::nullopt;
  reply.welcome = static_cast<Welcome>(texts[1][0] - '0');
  reply.words = texts[2];
  if ((reply.welcome == Welcome::kOpen) != static_cast<bool>(reply.page))
    return std::nullopt;
  return reply;
}

bool is_closed(int socket) noexcept {
  char byte = 0;
  const ssize_t size = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return size == 0 ||
         (size < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

pid_t trusted_peer(int socket) {
  ucred is{};
  socklen_t size = sizeof is;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &is, &size) != 0) return 0;
  return is.uid == geteuid() || is.uid == 0 ? is.pid : 0;
}

FileDescriptor call_driver(const std::string& folder) {
  const FileDescriptor place = open_folder(folder);
  if (!place) return {};
  FileDescriptor made = new_socket();
  const sockaddr_un address = address_in(place);
  if (!made || connect(made.number(), reinterpret_cast<const sockaddr*>(&address),
                       sizeof address) != 0)
    return {};
  return trusted_peer(made.number()) != 0 ? std::move(made) : FileDescriptor();
}

FileDescriptor listen_for_sites(const std::string& folder) {
  const FileDescriptor place = open_folder(folder);
  FileDescriptor made = new_socket();
  const sockaddr_un address = address_in(place);
  if (place) unlink(address.sun_path);  // left by a driver that ended; the lock says so
  if (!place || !made ||
      bind(made.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
          0 ||
      listen(made.number(), SOMAXCONN) != 0)
    throw std::runtime_error(folder + "/socket: no driver can listen there (" +
                             std::generic_category().message(errno) +
                             "); set TRESTLE_STATE to a folder that can be written");
  return made;
}

}  // namespace trestle::driver
