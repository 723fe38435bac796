#include "tests/gateway/openfresco_server/generic_client.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace trestle::openfresco_server {
namespace {

sockaddr_in parsed(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  sockaddr_in parsed{};
  parsed.sin_family = AF_INET;
  parsed.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1))));
  inet_pton(AF_INET, address.substr(0, colon).c_str(), &parsed.sin_addr);
  return parsed;
}

int connected(const std::string& address, int kind) {
  const sockaddr_in there = parsed(address);
  const int socket = ::socket(AF_INET, kind, 0);
  const timeval patience{.tv_sec = 10, .tv_usec = 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (connect(socket, reinterpret_cast<const sockaddr*>(&there), sizeof there) == 0)
    return socket;
  close(socket);
  return -1;
}

}  // namespace

GenericClient::GenericClient(const std::string& address, Way way)
    : datagrams_(way != Way::kTcp) {
  // The gateway listens again as soon as it has seen the last client leave.
  for (int tries = 0; socket_ < 0 && tries < 2000; ++tries) {
    socket_ = connected(address, datagrams_ ? SOCK_DGRAM : SOCK_STREAM);
    if (socket_ < 0) usleep(1000);
  }
  EXPECT_GE(socket_, 0) << address;
  if (way != Way::kUdpGreeted) return;
  send({std::byte{'a'}});
  EXPECT_EQ(receive(1), Bytes{std::byte{'b'}});
}

GenericClient::~GenericClient() {
  vanish();
}

void GenericClient::vanish() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
}

bool GenericClient::offer(const Bytes& bytes) {
  return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(bytes.size());
}

void GenericClient::send(const Bytes& bytes) {
  EXPECT_TRUE(offer(bytes));
}

Bytes GenericClient::receive(std::size_t bytes) {
  Bytes got(std::max<std::size_t>(bytes, 65536));
  std::size_t count = 0;
  while (count < bytes) {
    const std::size_t most = datagrams_ ? got.size() - count : bytes - count;
    const ssize_t now = recv(socket_, got.data() + count, most, 0);
    if (now <= 0) break;
    count += static_cast<std::size_t>(now);
  }
  got.resize(count);
  return got;
}

void GenericClient::say_sizes(const Bytes& sizes, std::size_t data) {
  send(sizes);
  data_ = data;
}

std::vector<double> GenericClient::ask(const std::vector<double>& values) {
  say(values);
  std::vector<double> reply = reals_of(receive(data_ * 8));
  EXPECT_EQ(reply.size(), data_);
  reply.resize(data_, std::nan(""));
  return reply;
}

bool served_anew(const std::string& address) {
  for (int tries = 0; tries < 100; ++tries) {
    GenericClient client(address, GenericClient::Way::kTcp);
    const Bytes question = reals({12}, 256);
    if (!client.offer(generic_sizes(1, 256) + question)) continue;
    const Bytes answer = client.receive(question.size());
    if (answer.size() == question.size()) return reals_of(answer)[0] == 2.8;
  }
  return false;
}

bool refused(const std::string& address) {
  const int socket = connected(address, SOCK_STREAM);
  if (socket >= 0) close(socket);
  return socket < 0;
}

}  // namespace trestle::openfresco_server
