#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <string>

#include "gateway/operator/operator_json.h"
#include "gateway/operator/operator_server.h"
#include "tests/gateway/operator/fake_operated.h"
#include "tests/gateway/operator/temporary_folder.h"

namespace trestle::operators {

inline constexpr Duration kLook = std::chrono::milliseconds(5);
inline const std::string kStatusLine = "{\"verb\":\"status\"}\n";

/// A client at the other end, which never waits either.
class Caller {
 public:
  explicit Caller(const std::string& folder) : socket_(connect_operator_socket(folder)) {}

  explicit operator bool() const { return static_cast<bool>(socket_); }
  /// @returns how many bytes there was room for
  std::size_t says(const std::string& bytes) {
    const ssize_t sent = send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    return sent > 0 ? static_cast<std::size_t>(sent) : 0;
  }
  void says_no_more() { shutdown(socket_.number(), SHUT_WR); }
  /// What has come since; ended() tells whether more may come.
  std::string hears() {
    std::string text;
    std::array<char, 4096> bytes{};
    while (true) {
      const ssize_t count = recv(socket_.number(), bytes.data(), bytes.size(), 0);
      if (count <= 0) {
        ended_ = count == 0 || errno != EAGAIN;
        return text;
      }
      text.append(bytes.data(), static_cast<std::size_t>(count));
    }
  }
  bool ended() {
    hears();
    return at_end();
  }
  bool at_end() const { return ended_; }

 private:
  FileDescriptor socket_;
  bool ended_ = false;
};

/// A server in a separate folder, driven by the test's clock.
class OperatorServerTest : public testing::Test {
 protected:
  OperatorServer::Settings settings(const std::string& folder) {
    OperatorServer::Settings settings;
    settings.folder = folder;
    settings.poll_interval = kLook;
    settings.clock = [this] {
      return now_;
    };
    settings.login = [](pid_t /*process*/) {
      return std::optional<uid_t>(geteuid());
    };
    return settings;
  }
  OperatorServer::Settings settings() { return settings(folder_.path()); }
  void look(OperatorServer& server, int times = 1) {
    for (; times > 0; --times) {
      now_ += kLook;
      server.poll(node_);
    }
  }
  /// @returns the answer's line
  std::string ask(OperatorServer& server, Caller& caller, const std::string& line) {
    caller.says(line + "\n");
    look(server, 2);
    return caller.hears();
  }
  static std::string refusal(const std::string& line) {
    const Result<OperatorReply> answer = read_answer(line);
    return answer ? answer.value().refusal : "no answer: " + line;
  }

  TemporaryFolder folder_;
  FakeOperated node_;
  TimePoint now_{};
};

}  // namespace trestle::operators
