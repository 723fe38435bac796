// A servo-hydraulic rig in a separate process, which outlives the site that drives it.
//
//   rig_emulator --folder DIR [--udp PORT] [--actuators N] [--keys] [SETTING=VALUE ...]
//
// In DIR: `rig.log` (append), `rig.sock` (the plug-in), `control.sock` (faults, marks),
// `ready`
// (`udp=PORT`, written once all is open). An emergency stop: the key `e` with --keys, the
// file DIR/estop, or `estop` over the control socket.
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "contacts.h"
#include "controller.h"
#include "rig_log.h"
#include "udp_frame.h"
#include "ways_in.h"

namespace equipment {
namespace {

// Where the host takes the processor away for longer, the equipment's clock stands still:
// it does not blame others for what happened to itself.
constexpr std::int64_t kMostAtOnce = 5000000;

volatile std::sig_atomic_t asked_to_end = 0;

struct Options {
  std::string folder;
  int udp = -1;  ///< none
  std::size_t actuators = 1;
  bool keys = false;
  ControllerSettings controller;
  RamSettings ram;
};

bool set(const std::string& name, double value, ControllerSettings& controller,
         RamSettings& ram) {
  const std::map<std::string, double*> known = {
      {"watchdog", &controller.watchdog},
      {"most_force", &controller.most_force},
      {"most_stroke", &controller.most_stroke},
      {"servo_gain", &ram.servo_gain},
      {"static_gain", &ram.static_gain},
      {"dead_band", &ram.dead_band},
      {"drift", &ram.drift},
      {"fastest", &ram.fastest},
      {"strongest", &ram.strongest},
      {"coulomb", &ram.coulomb},
      {"viscous", &ram.viscous},
      {"stiffness", &ram.specimen_stiffness},
      {"yield", &ram.specimen_yield},
      {"hardening", &ram.specimen_hardening},
  };
  const auto found = known.find(name);
  if (found == known.end()) return false;
  *found->second = value;
  return true;
}

Options options_of(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto next = [&] {
      if (i + 1 == count) throw std::runtime_error(word + " needs a value");
      return std::string(words[++i]);
    };
    const std::size_t equals = word.find('=');
    if (word == "--folder") {
      options.folder = next();
    } else if (word == "--udp") {
      options.udp = std::stoi(next());
    } else if (word == "--actuators") {
      options.actuators = std::stoul(next());
    } else if (word == "--keys") {
      options.keys = true;
    } else if (equals == std::string::npos ||
               !set(word.substr(0, equals), std::stod(word.substr(equals + 1)),
                    options.controller, options.ram)) {
      throw std::runtime_error(word + " is no option and no setting");
    }
  }
  if (options.folder.empty()) throw std::runtime_error("--folder is missing");
  if (options.actuators < 1 || options.actuators > EQUIPMENT_MOST)
    throw std::runtime_error("--actuators must be 1 to 4");
  return options;
}

class Rig {
 public:
  explicit Rig(const Options& options)
      : options_(options),
        log_(options.folder + "/rig.log"),
        controller_(options.controller,
                    std::vector<Ram>(options.actuators, Ram(options.ram)), log_),
        contacts_(log_),
        plug_in_(options.folder + "/rig.sock"),
        control_(options.folder + "/control.sock") {
    if (options.udp >= 0)
      udp_ = std::make_unique<UdpWay>(static_cast<std::uint16_t>(options.udp));
    log_.say("begun actuators=%zu watchdog=%.9g static_gain=%.9g", options.actuators,
             options.controller.watchdog, options.ram.static_gain);
    log_.flush();
    const std::string ready = options.folder + "/ready";
    std::FILE* const file = std::fopen((ready + ".new").c_str(), "w");
    if (file == nullptr) throw std::runtime_error("cannot write " + ready);
    std::fprintf(file, "udp=%u\n", udp_ ? udp_->port() : 0u);
    std::fclose(file);
    std::rename((ready + ".new").c_str(), ready.c_str());
  }

  void run() {
    std::int64_t before = host_ns();
    while (!ended_ && !asked_to_end) {
      wait();
      // First what was said while this process did not run, then time.
      if (udp_) udp_->serve(controller_, faults_, log_);
      plug_in_.serve(controller_, contacts_, faults_, log_);
      serve_control();
      const std::int64_t now = host_ns();
      std::int64_t passed = now - before;
      before = now;
      if (passed > kMostAtOnce) {
        log_.say("starved ns=%lld", static_cast<long long>(passed - kMostAtOnce));
        passed = kMostAtOnce;
      }
      controller_.advance(passed);
      if (now >= next_report_) {
        plug_in_.report(controller_, contacts_, faults_, now);
        next_report_ = now + 1000000;
      }
      if (++turns_ % 16 == 0) look_at_the_stops();
      log_.flush();
    }
    log_.say("ended");
  }

 private:
  void wait() {
    pollfd files[12];
    nfds_t count = 0;
    const auto add = [&](int file) {
      if (file >= 0 && count < 12) files[count++] = {file, POLLIN, 0};
    };
    if (udp_) add(udp_->file());
    add(plug_in_.listener());
    add(plug_in_.client());
    add(control_.listener());
    for (const int client : control_.clients()) add(client);
    poll(files, count, 1);
  }

  void look_at_the_stops() {
    char key = 0;
    if (options_.keys) {
      pollfd keyboard{STDIN_FILENO, POLLIN, 0};
      if (poll(&keyboard, 1, 0) > 0 && read(STDIN_FILENO, &key, 1) != 1) key = 0;
    }
    if (key == 'e' || access((options_.folder + "/estop").c_str(), F_OK) == 0)
      controller_.open(Controller::kEmergencyStop, "estop");
  }

  void serve_control() {
    control_.accept_new();
    const std::vector<int> clients = control_.clients();
    for (const int client : clients) {
      std::string line;
      if (!control_.line_of(client, line)) {
        control_.close_of(client);
        continue;
      }
      if (line.empty()) continue;
      const std::string answer = follow(line);
      log_.flush();
      send(client, answer.data(), answer.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    }
  }

  std::string follow(const std::string& line) {
    std::istringstream words(line);
    std::string verb, what;
    words >> verb >> what;
    const std::size_t equals = what.find('=');
    if (verb == "mark") {
      log_.say("mark %s", line.substr(5).c_str());
    } else if (verb == "estop") {
      controller_.open(Controller::kEmergencyStop, "estop");
    } else if (verb == "supply") {
      controller_.open(Controller::kSupply, "supply");
    } else if (verb == "contact") {
      std::string level;
      words >> level;
      if (!contacts_.set(what, level)) return "contact NAME open, closed or lost";
    } else if (verb == "reset") {
      unlink((options_.folder + "/estop").c_str());
      controller_.reset();
    } else if (verb == "stick" || verb == "release") {
      const std::uint32_t bit = what == "read"    ? EQUIPMENT_STUCK_READ
                                : what == "write" ? EQUIPMENT_STUCK_WRITE
                                : what == "hold"  ? EQUIPMENT_STUCK_HOLD
                                : what == "leak"  ? EQUIPMENT_LEAK
                                : what == "slow"  ? EQUIPMENT_SLOW
                                                  : 0;
      if (verb == "release") {
        plug_in_.page().stuck = bit == 0 ? 0 : plug_in_.page().stuck & ~bit;
      } else if (bit == 0) {
        return "stick read, write, hold, leak or slow";
      } else {
        plug_in_.page().stuck |= bit;
      }
      log_.say("%s %s", verb.c_str(), what.c_str());
    } else if (verb == "mute" || verb == "deaf") {
      (verb == "mute" ? faults_.mute : faults_.deaf) = what == "on";
      log_.say("%s %s", verb.c_str(), what.c_str());
    } else if (verb == "set" && equals != std::string::npos) {
      for (Ram& ram : controller_.rams) {
        if (!set(what.substr(0, equals), std::atof(what.c_str() + equals + 1),
                 controller_.is, ram.is))
          return "no such setting";
      }
      log_.say("set %s", what.c_str());
    } else if (verb == "end") {
      ended_ = true;
    } else if (verb != "status") {
      return "no such order";
    }
    char text[256];
    std::snprintf(text, sizeof text,
                  "ok clock=%lld standing=%s status=%u stuck=%u outputs=%u x=%.9g f=%.9g "
                  "drive=%.9g",
                  static_cast<long long>(controller_.clock_ns()),
                  word_of(controller_.standing()), controller_.status(),
                  plug_in_.page().inside, contacts_.outputs(),
                  controller_.rams[0].displacement(), controller_.rams[0].force(),
                  controller_.drive(0));
    return text;
  }

  Options options_;
  RigLog log_;
  Controller controller_;
  Contacts contacts_;
  std::unique_ptr<UdpWay> udp_;
  PlugInWay plug_in_;
  ControlWay control_;
  WireFaults faults_;
  std::int64_t next_report_ = 0;
  unsigned turns_ = 0;
  bool ended_ = false;
};

}  // namespace
}  // namespace equipment

int main(int count, char** words) {
  std::signal(SIGPIPE, SIG_IGN);
  for (const int number : {SIGINT, SIGTERM})
    std::signal(number, [](int) { equipment::asked_to_end = 1; });
  try {
    equipment::Rig(equipment::options_of(count, words)).run();
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "rig_emulator: %s\n", wrong.what());
    return 2;
  }
  return 0;
}
