// What a site accepts before and while it serves: limits of real equipment, and callers.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>
#include <tuple>

#include "tests/cli/program_test_case.h"

namespace trestle::cli {
namespace {

using Words = std::vector<std::string>;

bool tells(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class CliLimits : public ProgramTestCase {
 protected:
  static constexpr const char* kNoForce =
      "limits.actuators[0]={displacement: 60 mm, rate: 400 mm/s}";
  static constexpr const char* kAda =
      "arming={without_limits: {by: Ada Lovelace, reason: the pump is throttled}}";

  Words serving(const Words& settings) const {
    Words words{"site", example("site_west.yaml"), "--out", "west-records"};
    for (const std::string& setting : settings) {
      words.emplace_back("--set");
      words.push_back(setting);
    }
    return words;
  }
  std::string socket_of_west() const { return "listen=ipc://" + path("west.ipc"); }
};

TEST_F(CliLimits, RealEquipmentDoesNotStartWithoutAll) {
  const Words real{"as_real_equipment=true", "hardware_watchdog=true", kNoForce};
  const std::string missing =
      "site west: it is real equipment, and actuator 1 has no limit of force";
  const Ended site = trestle(serving(real + Words{socket_of_west()}));
  EXPECT_EQ(site.code, 2);
  EXPECT_TRUE(tells(site.err, missing)) << site.err;
  EXPECT_TRUE(tells(site.err, "site_west.yaml:7")) << site.err;
  Words measure{"characterise", example("site_west.yaml")};
  for (const std::string& setting : real) measure = measure + Words{"--set", setting};
  const Ended measured = trestle(measure);
  EXPECT_EQ(measured.code, 2);
  EXPECT_TRUE(tells(measured.err, missing)) << measured.err;
  const Ended checked =
      trestle({"check", example("test.yaml"), "--set", "mode=pseudo-dynamic", "--set",
               "sites.west.as_real_equipment=true", "--set",
               std::string("sites.west.") + kNoForce});
  EXPECT_EQ(checked.code, 2);
  EXPECT_TRUE(tells(checked.err, missing)) << checked.err;
}

TEST_F(CliLimits, SomebodyMayAnswerForTheMissingOnes) {
  Program west(serving({"as_real_equipment=true", "hardware_watchdog=true", kNoForce, kAda,
                        socket_of_west()}),
               folder());
  EXPECT_TRUE(west.says("Ada Lovelace answers for it: the pump is throttled"))
      << west.err();
  west.signal(SIGTERM);
  EXPECT_EQ(west.exit_code(), 0);
  for (const auto& [by, reason, key] : {std::tuple{"'  '", "the pump is throttled", "by"},
                                        {"Ada Lovelace", "' '", "reason"},
                                        {"Unknown", "the pump is throttled", "by"},
                                        {"integrator", "the pump is throttled", "by"},
                                        {"'7'", "the pump is throttled", "by"}}) {
    const Ended blank = trestle(serving({"as_real_equipment=true", "hardware_watchdog=true",
                                         kNoForce, socket_of_west(),
                                         std::string("arming={without_limits: {by: ") + by +
                                             ", reason: " + reason + "}}"}));
    EXPECT_EQ(blank.code, 2) << by << reason;
    EXPECT_TRUE(tells(blank.err, std::string("`") + key + "` must")) << blank.err;
  }
  const Ended idle = trestle(serving({kAda, socket_of_west()}));
  EXPECT_EQ(idle.code, 2);
  EXPECT_TRUE(tells(idle.err, "take arming.without_limits out")) << idle.err;
}

TEST_F(CliLimits, NobodyActsWithoutAName) {
  for (const char* const name : {" ", "  ", "Unknown", "Integrator", "-"})
    for (const char* const verb : {"arm", "resume", "clear", "stop"}) {
      const Ended ended = trestle({verb, example("site_west.yaml"), "--as", name});
      EXPECT_EQ(ended.code, 2) << verb << name;
      EXPECT_TRUE(tells(ended.err, "must be a person's name")) << verb << name << ended.err;
    }
}

TEST_F(CliLimits, ATargetBeyondAnActuatorNamesTheLineOfItsLimit) {
  const Ended here = trestle(
      Words{"run", example("test.yaml"), "--out", "run", "--set",
            "sites.west.limits.actuators[0]={displacement: 0.5 mm, rate: 400 mm/s}",
            "--set", "sites.west.compensator=none", "--set", "excitation.scale=40"} +
      kShort);
  EXPECT_EQ(here.code, 3) << here.out << here.err;
  EXPECT_TRUE(tells(here.out, "site west refuses: the target would take actuator 1 to"))
      << here.out;
  EXPECT_TRUE(tells(here.out, "above its limit 0.5 mm")) << here.out;
  EXPECT_TRUE(tells(here.out, "(limit of the test, ")) << here.out;
}

// ---- callers who say nothing

/// Seconds of processor time that the process has used.
double processor_time(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string skipped;
  for (int n = 0; n < 11; ++n) fields >> skipped;
  double user = 0.0, system = 0.0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// Many connections from one address, which say nothing.
class IdleCallers {
 public:
  IdleCallers(int count, const char* from, int port) {
    sockaddr_in own{}, site{};
    own.sin_family = site.sin_family = AF_INET;
    inet_pton(AF_INET, from, &own.sin_addr);
    inet_pton(AF_INET, "127.0.0.1", &site.sin_addr);
    site.sin_port = htons(static_cast<std::uint16_t>(port));
    for (int n = 0; n < count; ++n) {
      const int caller = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      if (caller < 0) break;
      callers_.push_back(caller);
      if (bind(caller, reinterpret_cast<sockaddr*>(&own), sizeof own) != 0) break;
      connect(caller, reinterpret_cast<sockaddr*>(&site), sizeof site);
    }
  }
  ~IdleCallers() {
    for (const int caller : callers_) close(caller);
  }
  IdleCallers(const IdleCallers&) = delete;
  IdleCallers& operator=(const IdleCallers&) = delete;

 private:
  std::vector<int> callers_;
};

TEST_F(CliLimits, IdleCallersTakeNoProcessorAndKeepNobodyElseOut) {
  // A host that allows few open files, and a control thread above all others.
  Program west(serving({"listen=tcp://127.0.0.1:0", "control_thread={priority: 80}"}) +
                   Words{"--once"},
               folder(), [] {
                 const rlimit few{128, 128};
                 setrlimit(RLIMIT_NOFILE, &few);
               });
  ASSERT_TRUE(west.says("listens at tcp://127.0.0.1:"));
  ASSERT_TRUE(west.says("records go to"));
  const std::string& said = west.err();
  const std::size_t at = said.find("tcp://127.0.0.1:") + 16;
  const std::string port = said.substr(at, said.find_first_not_of("0123456789", at) - at);
  const IdleCallers callers(400, "127.0.0.2", std::stoi(port));
  // What comes in is dealt with; then nothing is left to do.
  std::this_thread::sleep_for(std::chrono::seconds(1));
  using Steady = std::chrono::steady_clock;
  const Steady::time_point begin = Steady::now();
  const double before = processor_time(west.pid());
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const double passed = std::chrono::duration<double>(Steady::now() - begin).count();
  EXPECT_LT((processor_time(west.pid()) - before) / passed, 0.15);
  EXPECT_TRUE(west.says("refused a peer from 127.0.0.2: it has "));
  const std::string east_socket = "ipc://" + path("east.ipc");
  Program east({"site", example("site_east.yaml"), "--set", "listen=" + east_socket,
                "--out", "east-records", "--once"},
               folder());
  const Ended ended = trestle(Words{"run", example("distributed.yaml"), "--out", "run",
                                    "--set", "sites.west.address=tcp://127.0.0.1:" + port,
                                    "--set", "sites.east.address=" + east_socket, "--set",
                                    "mode=continuous", "--set", "continuous.scale=4"} +
                              kShort);
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_EQ(west.exit_code(), 0);
}

}  // namespace
}  // namespace trestle::cli
