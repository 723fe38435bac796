// What OpenSees pays for a step through the real program `trestle gateway openfresco` with
// a simulated rig, limits and journal behind it: over loopback, against a raw ping-pong of
// the same bytes in the same run, interleaved. Decide on the ratio of the medians, never on
// a time or a tail.
//
// Two kinds. `one move`: a trial, the question for its force, its answer, a commit.
// `OpenSees`: what a real one sent (tests/data/openfresco), without its own pauses:
// NewmarkExplicit, one DOF, 3 14 10 14 3 5, three waits a step.
//
//   openfresco_bench SITE.yaml [--rounds N] [--exchanges N] [--passes N]
//                   [--recordings FOLDER]

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
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

int connected(std::uint16_t port, int kind = SOCK_STREAM) {
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(port);
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (int tries = 0; tries < 1000; ++tries) {
    const int made = socket(AF_INET, kind, 0);
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

int listening(std::uint16_t& port, int kind = SOCK_STREAM) {
  const int made = socket(AF_INET, kind, 0);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  bind(made, reinterpret_cast<sockaddr*>(&here), sizeof here);
  if (kind == SOCK_STREAM) listen(made, 1);
  socklen_t size = sizeof here;
  getsockname(made, reinterpret_cast<sockaddr*>(&here), &size);
  port = ntohs(here.sin_port);
  return made;
}

void no_delay(int to) {
  const int on = 1;
  setsockopt(to, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/// What one end sends and the other answers, as it was recorded: runs of pieces out, then
/// bytes back.
struct Script {
  struct Turn {
    std::vector<std::vector<char>> out;  // one call, or datagram, each
    std::vector<std::vector<char>> back;
    std::size_t bytes_out = 0;
    std::size_t bytes_back = 0;
    int commits = 0;  // that are among them
  };
  std::vector<Turn> turns;
};

int commits_in(const std::vector<char>& piece) {
  if (piece.size() % sizeof(Vector) != 0) return 0;  // the greeting, or the sizes before it
  int count = 0;
  for (std::size_t at = 0; at < piece.size(); at += sizeof(Vector)) {
    double code = 0.0;
    std::memcpy(&code, piece.data() + at, sizeof code);
    count += code == 5.0 ? 1 : 0;
  }
  return count;
}

Script recorded(const std::string& file) {
  FILE* const text = popen(("gzip -dc '" + file + "'").c_str(), "r");
  if (text == nullptr) throw std::runtime_error("cannot read " + file);
  Script script;
  std::vector<char> line(1 << 20);
  bool answered = true;
  while (std::fgets(line.data(), static_cast<int>(line.size()), text) != nullptr) {
    char* at = std::strchr(line.data(), ' ');
    if (at == nullptr) continue;
    const bool out = at[1] == '>';
    std::vector<char> piece;
    for (at += 3; std::isxdigit(static_cast<unsigned char>(at[0])) != 0; at += 2) {
      const char pair[3] = {at[0], at[1], '\0'};
      piece.push_back(static_cast<char>(std::strtol(pair, nullptr, 16)));
    }
    if (out && answered) script.turns.emplace_back();
    answered = !out;
    Script::Turn& turn = script.turns.back();
    if (out) turn.commits += commits_in(piece);
    (out ? turn.bytes_out : turn.bytes_back) += piece.size();
    (out ? turn.out : turn.back).push_back(std::move(piece));
  }
  if (pclose(text) != 0 || script.turns.empty())
    throw std::runtime_error("cannot read " + file + "; --recordings FOLDER");
  return script;
}

/// The script with its steps played `passes` times: a recording of 60 steps alone measures
/// the start of a program, whose memory is cold, more than its steps.
Script repeated(const Script& once, int passes) {
  const auto commits = [](const Script::Turn& turn) {
    return turn.commits > 0;
  };
  const auto first = std::ranges::find_if(once.turns, commits);
  const auto last =
      std::ranges::find_if(once.turns.rbegin(), once.turns.rend(), commits).base();
  if (first == once.turns.end() || last - first < 2) return once;
  Script script{{once.turns.begin(), first}};
  for (int pass = 0; pass < passes; ++pass)
    script.turns.insert(script.turns.end(), first, last - 1);
  script.turns.insert(script.turns.end(), last - 1, once.turns.end());
  return script;
}

/// A client that plays a script: Nagle's algorithm on, as in the real programs.
class Player {
 public:
  Player(std::uint16_t port, bool datagrams)
      : socket_(connected(port, datagrams ? SOCK_DGRAM : SOCK_STREAM)),
        datagrams_(datagrams) {
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  ~Player() { close(socket_); }

  /// Appends microseconds per step: from one commit to the next; the first, which makes the
  /// test begin, is left out.
  void play(const Script& script, std::vector<double>& times) {
    using Steady = std::chrono::steady_clock;
    Steady::time_point begin{};
    bool any = false;
    for (const Script::Turn& turn : script.turns) {
      for (const std::vector<char>& piece : turn.out)
        write_all(socket_, piece.data(), piece.size());
      for (std::size_t came = 0; came < turn.bytes_back;) {
        const ssize_t now = recv(socket_, room_.data(),
                                 datagrams_ ? room_.size() : turn.bytes_back - came, 0);
        if (now <= 0) throw std::runtime_error("no answer");
        came += static_cast<std::size_t>(now);
      }
      if (turn.commits == 0) continue;
      const Steady::time_point now = Steady::now();
      if (any)
        times.push_back(std::chrono::duration<double, std::micro>(now - begin).count() /
                        turn.commits);
      begin = now;
      any = true;
    }
  }

 private:
  int socket_;
  bool datagrams_;
  std::vector<char> room_ = std::vector<char>(1 << 16);
};

/// Answers a script's bytes as soon as what goes before them is there: the floor.
///
/// Asleep until something comes, or awake, as the gateway waits: two floors.
class Answerer {
 public:
  Answerer(const Script& script, bool datagrams, bool awake)
      : script_(script), datagrams_(datagrams), awake_(awake) {
    listener_ = listening(port_, datagrams ? SOCK_DGRAM : SOCK_STREAM);
    thread_ = std::thread([this] { serve(); });
  }
  ~Answerer() {
    thread_.join();
    close(listener_);
  }
  std::uint16_t port() const { return port_; }

 private:
  void serve() {
    const int client = datagrams_ ? listener_ : accept(listener_, nullptr, nullptr);
    const int on = 1;
    if (!datagrams_) no_delay(client);
    std::vector<char> room(1 << 16);
    for (const Script::Turn& turn : script_.turns) {
      sockaddr_in from{};
      for (std::size_t came = 0; came < turn.bytes_out;) {
        socklen_t size = sizeof from;
        const std::size_t most = datagrams_ ? room.size() : turn.bytes_out - came;
        const ssize_t now = receive(client, room.data(), most, from, size);
        if (now <= 0) break;
        came += static_cast<std::size_t>(now);
        // An answer acknowledges by itself.
        if (!datagrams_ && came < turn.bytes_out)
          setsockopt(client, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
      }
      for (const std::vector<char>& piece : turn.back)
        sendto(client, piece.data(), piece.size(), MSG_NOSIGNAL,
               datagrams_ ? reinterpret_cast<const sockaddr*>(&from) : nullptr,
               datagrams_ ? sizeof from : 0);
    }
    if (!datagrams_) close(client);
  }

  /// Awake for as long as the gateway is, then asleep.
  ssize_t receive(int client, void* into, std::size_t most, sockaddr_in& from,
                  socklen_t& size) const {
    using Steady = std::chrono::steady_clock;
    const Steady::time_point end = Steady::now() + std::chrono::microseconds(100);
    auto* const peer = reinterpret_cast<sockaddr*>(&from);
    while (awake_ && Steady::now() < end) {
      const ssize_t now = recvfrom(client, into, most, MSG_DONTWAIT, peer, &size);
      if (now >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) return now;
    }
    return recvfrom(client, into, most, 0, peer, &size);
  }

  const Script& script_;
  bool datagrams_;
  bool awake_;
  std::uint16_t port_ = 0;
  int listener_ = -1;
  std::thread thread_;
};

/// Both messages and the commit before them out in one piece, one back, without delay: the
/// floor.
class PingPong {
 public:
  PingPong() {
    std::uint16_t port = 0;
    listener_ = listening(port);
    thread_ = std::thread([this] {
      const int client = accept(listener_, nullptr, nullptr);
      no_delay(client);
      std::array<Vector, 3> out{};
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
  std::array<Vector, 3> out_{};
  Vector back_{};
  std::thread thread_;
};

/// The program in a separate process.
class Program {
 public:
  /// @param awake  as it is shipped; else it sleeps at once (--spin 0)
  Program(const std::string& site, bool datagrams, bool awake = true) {
    const int kind = datagrams ? SOCK_DGRAM : SOCK_STREAM;
    close(listening(port_, kind));
    const std::string place = "127.0.0.1:" + std::to_string(port_);
    folder_ = "/tmp/openfresco_bench." + std::to_string(getpid()) +
              (datagrams ? ".udp" : ".tcp") + (awake ? "" : ".asleep");
    child_ = fork();
    if (child_ == 0) {
      if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
      execl(TRESTLE_PROGRAM, TRESTLE_PROGRAM, "gateway", "openfresco", "--listen",
            place.c_str(), "--transport", datagrams ? "udp" : "tcp", "--site", site.c_str(),
            "--out", folder_.c_str(), awake ? nullptr : "--spin", "0", nullptr);
      _exit(1);
    }
    // UDP cannot refuse: the record's folder shows that it listens.
    while (datagrams && !std::filesystem::exists(folder_ + "/site.log") &&
           waitpid(child_, nullptr, WNOHANG) == 0)
      usleep(10'000);
  }
  ~Program() {
    kill(child_, SIGTERM);
    waitpid(child_, nullptr, 0);
    std::filesystem::remove_all(folder_);
  }
  std::uint16_t port() const { return port_; }

 private:
  std::uint16_t port_ = 0;
  std::string folder_;
  pid_t child_ = 0;
};

/// Writes as OpenSees does: each message in a separate call, Nagle's algorithm on.
class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(connected(port)) {
    const std::array<std::int32_t, 11> sizes{1, 1, 1, 0, 1, 0, 0, 0, 1, 0, kReals};
    write_all(socket_, sizes.data(), sizeof sizes);
  }
  ~Client() {
    say(99);
    close(socket_);
  }
  void exchange() {
    trial_[1] = trial_[1] > 0.5 ? 0.0 : trial_[1] + 1e-4;
    say(3);
    say(10);
    read_all(socket_, &back_, sizeof back_);
    say(5);
  }

 private:
  void say(double code) {
    trial_[0] = code;
    if (send(socket_, &trial_, sizeof trial_, MSG_NOSIGNAL) != sizeof trial_ && code != 99)
      throw std::runtime_error("the other end is gone");
  }

  int socket_ = -1;
  Vector trial_{};
  Vector back_{};
};

struct Figures {
  double p50 = 0.0;
  double mean = 0.0;
  double p99 = 0.0;
};

Figures figures(std::vector<double> times) {
  std::ranges::sort(times);
  double sum = 0.0;
  for (const double time : times) sum += time;
  return {times[times.size() / 2], sum / static_cast<double>(times.size()),
          times[times.size() * 99 / 100]};
}

template <typename Contender>
Figures run_round(Contender& contender, int exchanges) {
  using Steady = std::chrono::steady_clock;
  for (int i = 0; i < exchanges / 10; ++i) contender.exchange();  // warm
  std::vector<double> times(static_cast<std::size_t>(exchanges));
  for (double& time : times) {
    const auto begin = Steady::now();
    contender.exchange();
    time = std::chrono::duration<double, std::micro>(Steady::now() - begin).count();
  }
  return figures(std::move(times));
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void tell(const char* what, const std::vector<Figures>& rounds,
          const std::vector<Figures>& floor) {
  std::vector<double> p50, mean, p99, ratio;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    p50.push_back(rounds[i].p50);
    mean.push_back(rounds[i].mean);
    p99.push_back(rounds[i].p99);
    ratio.push_back(rounds[i].p50 / floor[i].p50);
  }
  std::printf("%-34s p50 %7.1f us   mean %7.1f us   p99 %7.1f us   %5.2f x raw\n", what,
              median(p50), median(mean), median(p99), median(ratio));
  std::fflush(stdout);
}

/// One after the other in each round: the bytes alone and the gateway, either asleep until
/// something comes or awake.
void replay(const std::string& site, const Script& script, bool datagrams, int rounds) {
  std::array<std::vector<Figures>, 2> ours, raw;
  for (const bool awake : {false, true}) {
    const Program program(site, datagrams, awake);
    const std::size_t way = awake ? 1 : 0;
    for (int round = 0; round < rounds; ++round) {
      std::vector<double> times;
      {
        Answerer floor(script, datagrams, awake);
        Player(floor.port(), datagrams).play(script, times);
      }
      raw[way].push_back(figures(times));
      times.clear();
      Player(program.port(), datagrams).play(script, times);
      ours[way].push_back(figures(times));
      usleep(300'000);  // the record of that client is closed, and the next may come
    }
    const std::string how =
        std::string(datagrams ? "udp" : "tcp") + (awake ? ", awake" : ", asleep");
    tell(("raw, OpenSees, " + how).c_str(), raw[way], raw[way]);
    tell(("gateway, OpenSees, " + how).c_str(), ours[way], raw[way]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "openfresco_bench SITE.yaml\n"), 2;
  int rounds = 5, exchanges = 4000, passes = 50;
  std::string recordings = TRESTLE_RECORDINGS;
  for (int i = 2; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--rounds") == 0) rounds = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--exchanges") == 0) exchanges = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--passes") == 0) passes = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--recordings") == 0) recordings = argv[i + 1];
  }
  {
    PingPong floor;
    const Program program(argv[1], false);
    Client client(program.port());
    std::vector<Figures> ours, raw;
    for (int round = 0; round < rounds; ++round) {
      raw.push_back(run_round(floor, exchanges));
      ours.push_back(run_round(client, exchanges));
    }
    tell("raw TCP ping-pong", raw, raw);
    tell("gateway, one move, tcp", ours, raw);
  }
  for (const bool datagrams : {false, true}) {
    const std::string file = recordings + "/opensees_" + (datagrams ? "udp_" : "") +
                             "1dof_NewmarkExplicit_60steps.txt.gz";
    replay(argv[1], repeated(recorded(file), passes), datagrams, rounds);
  }
  return 0;
}
