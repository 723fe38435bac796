// What one move of an OpenSees client costs: a trial and the question for its force out
// (two messages of 2048 bytes), the answer back (2048), over TCP on loopback through the
// real program `trestle gateway openfresco` with a simulated rig, limits and journal
// behind it; against a raw ping-pong of the same bytes in the same run, interleaved. Decide
// on the ratio of the medians, never on a time or a tail.
//
//   openfresco_bench SITE.yaml [--rounds N] [--exchanges N]

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t kReals = 256;
using Vector = std::array<double, kReals>;

int connected(std::uint16_t port) {
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(port);
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (int tries = 0; tries < 1000; ++tries) {
    const int made = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(made, reinterpret_cast<sockaddr*>(&there), sizeof there) == 0) return made;
    close(made);
    usleep(10'000);
  }
  throw std::runtime_error("nobody listens");
}

void read_all(int from, void* into, std::size_t bytes) {
  char* to = static_cast<char*>(into);
  while (bytes > 0) {
    const ssize_t came = recv(from, to, bytes, 0);
    if (came <= 0) throw std::runtime_error("the other end is gone");
    to += came;
    bytes -= static_cast<std::size_t>(came);
  }
}

void write_all(int to, const void* from, std::size_t bytes) {
  if (send(to, from, bytes, MSG_NOSIGNAL) != static_cast<ssize_t>(bytes))
    throw std::runtime_error("the other end is gone");
}

int listening(std::uint16_t& port) {
  const int made = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  bind(made, reinterpret_cast<sockaddr*>(&here), sizeof here);
  listen(made, 1);
  socklen_t size = sizeof here;
  getsockname(made, reinterpret_cast<sockaddr*>(&here), &size);
  port = ntohs(here.sin_port);
  return made;
}

void no_delay(int to) {
  const int on = 1;
  setsockopt(to, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/// Both messages out in one piece, one back, without delay: the floor.
class PingPong {
 public:
  PingPong() {
    std::uint16_t port = 0;
    listener_ = listening(port);
    thread_ = std::thread([this] {
      const int client = accept(listener_, nullptr, nullptr);
      no_delay(client);
      std::array<Vector, 2> out{};
      try {
        for (;;) {
          read_all(client, out.data(), sizeof out);
          write_all(client, out.data(), sizeof(Vector));
        }
      } catch (const std::exception&) {
        close(client);
      }
    });
    socket_ = connected(port);
    no_delay(socket_);
  }
  ~PingPong() {
    close(socket_);
    thread_.join();
    close(listener_);
  }
  void exchange() {
    write_all(socket_, out_.data(), sizeof out_);
    read_all(socket_, &back_, sizeof back_);
  }

 private:
  int listener_ = -1;
  int socket_ = -1;
  std::array<Vector, 2> out_{};
  Vector back_{};
  std::thread thread_;
};

/// The program in a process of its own, and a client that writes as OpenSees does: two
/// messages in two calls, Nagle's algorithm on.
class Gateway {
 public:
  explicit Gateway(const std::string& site) {
    std::uint16_t port = 0;
    close(listening(port));
    const std::string place = "127.0.0.1:" + std::to_string(port);
    folder_ = "/tmp/openfresco_bench." + std::to_string(getpid());
    child_ = fork();
    if (child_ == 0) {
      if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
      execl(TRESTLE_PROGRAM, TRESTLE_PROGRAM, "gateway", "openfresco", "--listen",
            place.c_str(), "--transport", "tcp", "--site", site.c_str(), "--out",
            folder_.c_str(), nullptr);
      _exit(1);
    }
    socket_ = connected(port);
    const std::array<std::int32_t, 11> sizes{1, 1, 1, 0, 1, 0, 0, 0, 1, 0, kReals};
    write_all(socket_, sizes.data(), sizeof sizes);
  }
  ~Gateway() {
    trial_[0] = 99;
    write_all(socket_, &trial_, sizeof trial_);
    close(socket_);
    kill(child_, SIGTERM);
    waitpid(child_, nullptr, 0);
    std::filesystem::remove_all(folder_);
  }
  void exchange() {
    trial_[0] = 3;
    trial_[1] = trial_[1] > 0.5 ? 0.0 : trial_[1] + 1e-4;
    write_all(socket_, &trial_, sizeof trial_);
    trial_[0] = 10;
    write_all(socket_, &trial_, sizeof trial_);
    read_all(socket_, &back_, sizeof back_);
  }

 private:
  std::string folder_;
  pid_t child_ = 0;
  int socket_ = -1;
  Vector trial_{};
  Vector back_{};
};

struct Quantiles {
  double p50 = 0.0;
  double p99 = 0.0;
};

template <typename Contender>
Quantiles run_round(Contender& contender, int exchanges) {
  using Steady = std::chrono::steady_clock;
  for (int i = 0; i < exchanges / 10; ++i) contender.exchange();  // warm
  std::vector<double> times(static_cast<std::size_t>(exchanges));
  for (double& time : times) {
    const auto begin = Steady::now();
    contender.exchange();
    time = std::chrono::duration<double, std::micro>(Steady::now() - begin).count();
  }
  std::ranges::sort(times);
  return {times[times.size() / 2], times[times.size() * 99 / 100]};
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "openfresco_bench SITE.yaml\n"), 2;
  int rounds = 5, exchanges = 4000;
  for (int i = 2; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--rounds") == 0) rounds = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--exchanges") == 0) exchanges = std::atoi(argv[i + 1]);
  }
  PingPong floor;
  Gateway gateway(argv[1]);
  std::vector<double> ours, ours_tail, raw, raw_tail, ratio;
  for (int round = 0; round < rounds; ++round) {
    const Quantiles below = run_round(floor, exchanges);
    const Quantiles above = run_round(gateway, exchanges);
    raw.push_back(below.p50);
    raw_tail.push_back(below.p99);
    ours.push_back(above.p50);
    ours_tail.push_back(above.p99);
    ratio.push_back(above.p50 / below.p50);
  }
  std::printf("raw TCP ping-pong   p50 %7.1f us   p99 %7.1f us\n", median(raw),
              median(raw_tail));
  std::printf("gateway, one move   p50 %7.1f us   p99 %7.1f us   %.2f x raw\n",
              median(ours), median(ours_tail), median(ratio));
  return 0;
}
