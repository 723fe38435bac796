#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/commands/operated_folder.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/held_key.h"
#include "cli/terminal/line_terminal.h"
#include "core/base/shell_word.h"
#include "core/base/time.h"
#include "core/types/rig_report.h"
#include "core/types/rig_request.h"
#include "gateway/operator/operator_client.h"
#include "gateway/operator/operator_json.h"
#include "gateway/operator/operator_request.h"
#include "gateway/operator/reading_text.h"
#include "gateway/operator/single_line_text.h"

namespace trestle::cli {
namespace {

using Action = RigRequest::Action;
using RigClock = std::chrono::steady_clock;

// The command is repeated twice a second; a site holds after a second without it.
constexpr std::chrono::milliseconds kBetweenWords{500};
constexpr Duration kPatienceForWord = std::chrono::milliseconds(400);
constexpr int kMostUnanswered = 10;
constexpr int kLookAtHold = 50;  // [ms]

struct RigOptions {
  std::string where;  ///< a site's folder, or its name
  RigRequest request{};
  std::string person;  ///< name that the person gave; may be empty
  bool sure = false;   ///< nobody is asked again before a release
  bool while_held = false;
  bool undo = false;       ///< of a tare
  double patience = 30.0;  ///< with a rig that gets ready, or does not answer [s]
  bool json = false;
};

volatile std::sig_atomic_t interrupted = 0;

void interrupt(int /*signal*/) {
  interrupted = 1;
}

int tell(int code, const std::string& sentence) {
  std::fprintf(stderr, "%s\n", operators::single_line_text(sentence).c_str());
  return code;
}

void print_readings(const RigReport& report) {
  if (report.zero.empty())
    std::printf("no zero readings are kept; trestle rig zero keeps them\n");
  else
    std::printf("zero readings of %s\n", operators::single_line_text(report.zero).c_str());
  for (const RigReading& each : report.readings) {
    const bool contact = each.unit == "0/1";
    const std::string deviation =
        contact ? std::string()
                : "sd " + operators::reading_value_text(each.deviation, each.unit);
    const std::string drift =
        each.drift && !contact
            ? "   since zero " + operators::reading_value_text(*each.drift, each.unit)
            : std::string();
    const std::string tare = each.tared.empty()
                                 ? std::string()
                                 : "   tared by " +
                                       operators::reading_value_text(each.tare, each.unit) +
                                       ", " + each.tared;
    std::printf(
        "%-24s %-18s %-19s%s%s\n", operators::single_line_text(each.channel).c_str(),
        operators::single_line_text(operators::reading_value_text(each.mean, each.unit))
            .c_str(),
        operators::single_line_text(deviation).c_str(),
        operators::single_line_text(drift).c_str(),
        operators::single_line_text(tare).c_str());
  }
}

/// What is not as stated ends like a refusal.
int exercise_code(const RigReport& report) {
  for (const ExerciseResult& each : report.exercise)
    if (!each.finding.empty()) return kExitStopped;
  return kExitComplete;
}

int print_exercise(const RigReport& report) {
  std::printf("%-12s %10s %8s %10s %14s %16s\n", "actuator", "amplitude", "gain", "delay",
              "noise", "force/motion");
  for (const ExerciseResult& each : report.exercise) {
    const bool turns = each.unit == "rad";
    char gain[32], delay[32], stiffness[48];
    std::snprintf(gain, sizeof gain, "%.3f", each.gain);
    std::snprintf(delay, sizeof delay, "%.3g ms", 1e3 * each.delay);
    std::snprintf(stiffness, sizeof stiffness, "%.4g %s", 1e-6 * each.stiffness,
                  turns ? "kN.m/mrad" : "kN/mm");
    std::printf(
        "%-12s %10s %8s %10s %14s %16s   %s\n",
        operators::single_line_text(each.name).c_str(),
        operators::reading_value_text(each.amplitude, each.unit).c_str(), gain, delay,
        operators::reading_value_text(each.noise, each.unit).c_str(), stiffness,
        each.finding.empty()
            ? "as stated"
            : operators::single_line_text("NOT as stated: " + each.finding).c_str());
  }
  return exercise_code(report);
}

bool moves_rig(Action action) {
  return action == Action::kJog || action == Action::kHome || action == Action::kExercise;
}

bool needs_consent(Action action) {
  return action == Action::kRelease || action == Action::kSetAside;
}

/// What cannot be taken back, or may hurt: a person says that it is meant.
/// @param action  a release, or a test set aside
/// @returns the exit code of one that is not; nothing: it is
std::optional<int> refuse_unmeant(const std::string& folder, Action action) {
  const bool releases = action == Action::kRelease;
  const std::string danger =
      folder +
      (releases ? ": without its pressure the rig may move, and what it carries may drop"
                : ": the test that was cut off here cannot be resumed any longer");
  if (isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1)
    return tell(kExitConfiguration,
                danger +
                    "; nobody can be asked here, for there is no terminal: give --yes if " +
                    (releases ? "the release is meant" : "that is meant"));
  std::fprintf(stderr, "%s.\n%s? [y/N] ", danger.c_str(),
               releases ? "Release it" : "Set it aside");
  std::array<char, 16> answer{};
  const bool meant = std::fgets(answer.data(), answer.size(), stdin) != nullptr &&
                     (answer[0] == 'y' || answer[0] == 'Y');
  return meant ? std::nullopt
               : std::optional(
                     tell(kExitStopped, releases ? "not released" : "not set aside"));
}

/// One site's rig, and the person who commands it.
class CommandedSite {
 public:
  CommandedSite(std::string folder, const RigOptions& options)
      : folder_(std::move(folder)), options_(options) {}

  /// @returns the exit code of a request that was not followed; nothing: it was
  std::optional<int> ask(const RigRequest& request, Duration patience) {
    return send({.verb = operators::OperatorVerb::kRig,
                 .reason = {},
                 .as = options_.person,
                 .rig = request},
                patience);
  }
  /// The command is repeated, or ended.
  std::optional<int> say(Action word) {
    return ask({.action = word, .token = options_.request.token}, kPatienceForWord);
  }
  /// Only how the command stands.
  std::optional<int> look() {
    return send({.verb = operators::OperatorVerb::kStatus, .reason = {}}, kPatienceForWord);
  }
  bool unanswered() const noexcept { return unanswered_; }
  const RigReport& report() const noexcept { return report_; }
  const std::string& problem() const noexcept { return problem_; }
  const std::string& said() const noexcept { return said_; }
  void print_json() const {
    if (options_.json && !line_.empty()) std::printf("%s\n", line_.c_str());
  }
  int refuse(int code) const {
    print_json();
    return tell(code, problem_);
  }

 private:
  std::optional<int> send(const operators::OperatorRequest& request, Duration patience) {
    const Result<std::string> line =
        operators::send_operator_request(folder_, request, patience);
    unanswered_ = !line && line.error().code == ErrorCode::kTimedOut;
    if (!line) {
      problem_ = line.error().detail;
      return line.error().code == ErrorCode::kRefused ? kExitStopped : kExitPeerLost;
    }
    line_ = line.value();
    const Result<operators::OperatorReply> reply = operators::read_answer(line_);
    if (!reply) {
      problem_ = folder_ + ": " + reply.error().detail;
      return kExitPeerLost;
    }
    if (reply.value().standing && reply.value().standing->commanded)
      report_ = *reply.value().standing->commanded;
    said_ = reply.value().said;
    if (reply.value().refusal.empty()) return std::nullopt;
    problem_ = reply.value().refusal;
    return kExitStopped;
  }

  std::string folder_;
  const RigOptions& options_;
  std::string line_;  // the last answer
  std::string said_;
  std::string problem_;
  RigReport report_;
  bool unanswered_ = false;
};

void show_motion(const RigReport& report) {
  if (!stderr_renews_lines()) return;
  std::string text = report.state;
  for (const RigAxis& axis : report.axes)
    text += "   " + axis.name + " drive " +
            operators::reading_value_text(axis.drive, axis.unit) + " measured " +
            operators::reading_value_text(axis.measured, axis.unit) + " force " +
            operators::reading_value_text(axis.force, axis.unit == "rad" ? "N.m" : "N");
  std::fprintf(stderr, "\r\033[K%s",
               operators::single_line_text(text).substr(0, stderr_line_width()).c_str());
}

/// Waits for the time of the next word. @returns false: the person lets go
bool keep_holding(HeldKey* key, RigClock::time_point until) {
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - RigClock::now());
    if (interrupted != 0) return false;
    if (key != nullptr &&
        !key->is_held(std::min(std::max(left, std::chrono::milliseconds(0)),
                               std::chrono::milliseconds(50))))
      return false;
    if (left.count() <= 0) return true;
    if (key == nullptr)
      ::poll(nullptr, 0, static_cast<int>(std::min<long>(left.count(), kLookAtHold)));
  }
}

/// Once the person has let go, nothing repeats the command any more.
/// @param told  the site has answered to the end
std::optional<int> say_end(CommandedSite& site, bool& told) {
  const std::optional<int> code = told ? site.look() : site.say(Action::kEnd);
  if (!code) told = true;
  if (told || code != kExitStopped || site.report().state == "over") return code;
  // The safe action of a fault ends by itself.
  told = site.report().state == "acts safely";
  if (told) tell(*code, site.problem());
  return told ? std::nullopt : code;
}

/// Repeats the command until the motion is over. A process that dies, or is stopped, is
/// silent: the site holds by itself.
/// @param key  null: the command is repeated until Ctrl-C
int follow_motion(CommandedSite& site, HeldKey* key) {
  int unanswered = 0;
  bool told = false;
  // The site waits for the first word. Keys of the time in which the rig got ready are old.
  if (key != nullptr) key->forget();
  bool lets_go = key != nullptr && !key->is_pressed(HeldKey::kReleased);
  RigClock::time_point next = RigClock::now();
  const auto ended = [&site] {
    return site.report().state == "over" || site.report().state == "hangs";
  };
  while (!ended()) {
    show_motion(site.report());
    if (lets_go && told) ::poll(nullptr, 0, kLookAtHold);
    lets_go = lets_go || !keep_holding(key, next);
    next = std::max(next + kBetweenWords, RigClock::now());
    const std::optional<int> code =
        lets_go ? say_end(site, told) : site.say(Action::kContinue);
    if (!code)
      unanswered = 0;
    else if (ended())
      break;
    else if (!site.unanswered() || ++unanswered > kMostUnanswered)
      return site.refuse(*code);
  }
  if (stderr_renews_lines()) std::fprintf(stderr, "\r\033[K");
  site.print_json();
  const RigReport& report = site.report();
  if (!report.done) return tell(kExitStopped, report.outcome);
  return kExitComplete;
}

/// Of this process and moment alone.
std::string token() {
  return std::to_string(getpid()) + "-" +
         std::to_string(RigClock::now().time_since_epoch().count());
}

/// Nothing is commanded before a key is down. @returns false: Ctrl-C
bool begin_to_hold(HeldKey& key) {
  std::fprintf(stderr, "hold a key down: the rig moves only while it is held\n");
  while (interrupted == 0)
    if (key.is_pressed(std::chrono::milliseconds(kLookAtHold))) return true;
  return false;
}

void heed_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, interrupt);
}

/// Of a command that was not answered: its person waits no longer.
int give_up(CommandedSite& site, int code, const std::string& ended) {
  const std::string problem = site.problem();
  site.say(Action::kEnd);  // it may get ready still
  return interrupted == 0 ? tell(code, problem) : tell(kExitStopped, ended);
}

/// A jog, a return home or an exercise, to its end.
int move_rig(CommandedSite& site, const RigOptions& options, Duration patience) {
  heed_signals();
  std::unique_ptr<HeldKey> key;
  if (options.while_held) key = std::make_unique<HeldKey>();
  if (key != nullptr && !begin_to_hold(*key))
    return tell(kExitStopped, "not commanded: interrupted before a key was held");
  if (const std::optional<int> code = site.ask(options.request, patience)) {
    if (interrupted == 0 && !site.unanswered()) return site.refuse(*code);
    return give_up(site, *code, "ended before the rig was ready: interrupted");
  }
  return follow_motion(site, key.get());
}

/// What moves nothing. A tare that its person has given up must not be kept.
int read_rig(CommandedSite& site, const RigOptions& options, Duration patience) {
  const bool tares = options.request.action == Action::kTare;
  if (tares) heed_signals();
  const std::optional<int> code = site.ask(options.request, patience);
  if (!code) {
    site.print_json();
    return kExitComplete;
  }
  if (!tares || (interrupted == 0 && !site.unanswered())) return site.refuse(*code);
  return give_up(site, *code, "interrupted; trestle rig status shows what is tared");
}

int command_rig(RigOptions& options) {
  const std::string folder = operated_folder(options.where);
  if (folder.empty()) return tell(kExitConfiguration, no_folder(options.where));
  std::error_code none;
  if (std::filesystem::exists(folder + "/effective.yaml", none))
    return tell(kExitConfiguration,
                folder +
                    " is a run's folder; the rig of a site is commanded at the site: "
                    "trestle rig ... SITE, on the site's host");
  const Action action = options.request.action;
  if (options.while_held && !HeldKey::possible())
    return tell(
        kExitConfiguration,
        "--while-held needs a terminal that sends the key; without it, this command "
        "repeats the person's word itself until Ctrl-C ends it");
  if (needs_consent(action) && !options.sure)
    if (const std::optional<int> refused = refuse_unmeant(folder, action)) return *refused;
  if (options.undo) options.request.action = Action::kUndoTare;
  const bool moves = moves_rig(action);
  if (moves || action == Action::kTare) options.request.token = token();
  CommandedSite site(folder, options);
  const auto patience =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(options.patience));
  const int code =
      moves ? move_rig(site, options, patience) : read_rig(site, options, patience);
  if (code != kExitComplete) return code;
  if (options.json)
    return action == Action::kExercise ? exercise_code(site.report()) : kExitComplete;
  if (action == Action::kStatus || action == Action::kZero)
    print_readings(site.report());
  else if (action == Action::kExercise)
    return print_exercise(site.report());
  else if (moves)
    std::printf("%s\n", operators::single_line_text(site.report().outcome).c_str());
  else
    std::printf("%s\n", operators::single_line_text(site.said()).c_str());
  return kExitComplete;
}

void add_exercise_options(CLI::App& verb, RigOptions& options) {
  RigRequest& request = options.request;
  verb.add_option("--amplitude", request.amount,
                  "amplitude of the sine: 0.5mm, one for all actuators or one each")
      ->required();
  verb.add_option("--frequency", request.frequency, "frequency of the sine: 0.5Hz")
      ->required();
  verb.add_option("--actuator", request.actuator,
                  "name or number of an actuator; default: one after the other");
  verb.add_option("--delay", request.delay,
                  "largest stated delay from drive to reading: 20ms; default: only shown");
  verb.add_option(
      "--noise", request.noise,
      "largest stated standard deviation of a displacement: 5um, one for all or "
      "one each; default: only shown");
}

void add_motion_options(CLI::App& verb, RigOptions& options, Action action) {
  const bool swings = action == Action::kExercise;
  if (swings) add_exercise_options(verb, options);
  if (action == Action::kJog) {
    verb.add_option("--actuator", options.request.actuator,
                    "name or number of the actuator; needed if the rig has several");
    verb.add_option("--by", options.request.amount,
                    "amount with its unit: 2mm, -2mm, 1mrad")
        ->required();
  }
  if (!swings)
    verb.add_option(
            "--rate", options.request.rate,
            action == Action::kJog
                ? "largest rate of the motion: 1mm/s; at most half of the limit"
                : "largest rate: 1mm/s, one for all actuators or one each with commas "
                  "between them; at most half of the limits")
        ->required();
  CLI::Option* const force =
      verb.add_option("--force", options.request.force,
                      action == Action::kJog
                          ? "force at which the motion ends in a hold: 10kN"
                          : "force at which the motion ends in a hold: 10kN, one for all "
                            "actuators or one each");
  if (action != Action::kJog) force->required();
  verb.add_option("--drive", options.request.drive,
                  "where the equipment does not report it: the drive that its controller "
                  "has in force, 14.94mm for each actuator, or `measured`");
  verb.add_flag("--while-held", options.while_held,
                "move only while a key is held down at this terminal");
}

}  // namespace

void add_rig_command(CLI::App& app, CommandList& commands) {
  struct Described {
    Action action;
    const char* help;
  };
  static constexpr std::array<Described, 9> kDescribed{
      {{Action::kStatus,
        "read all transducers for a second: mean, standard deviation, drift since zero"},
       {Action::kZero, "the same, and keep the means as the zero readings of the rig"},
       {Action::kTare,
        "subtract the present readings of the load cells from now on; --undo"},
       {Action::kJog, "move one actuator by an amount, while this command runs"},
       {Action::kHome, "move all actuators to zero drive, while this command runs"},
       {Action::kExercise,
        "move each actuator by a small sine, and compare sign, gain, delay and noise with "
        "what is stated"},
       {Action::kRelease, "release the pressure of the rig, as its driver offers it"},
       {Action::kSetAside,
        "end a test that was cut off and whose integrator is lost; it cannot be resumed"},
       {Action::kEnd, "end a motion that another person commands, in a hold"}}};
  CLI::App* const rig =
      app.add_subcommand("rig", "command the rig of a site between two tests");
  rig->require_subcommand(1);
  for (const Described& one : kDescribed) {
    const auto options = std::make_shared<RigOptions>();
    options->request.action = one.action;
    CLI::App* const verb =
        rig->add_subcommand(std::string(operators::name(one.action)), one.help);
    verb->add_option("site", options->where, "name of a site, or the folder of its records")
        ->required();
    const bool moves = moves_rig(one.action);
    if (moves) add_motion_options(*verb, *options, one.action);
    if (one.action == Action::kTare) {
      verb->add_option("--channel", options->request.channels,
                       "channels to tare, as rig status names them, with commas between "
                       "them; default: all load cells; with --undo: all that are tared");
      verb->add_flag("--undo", options->undo,
                     "subtract nothing any longer: the equipment's own readings");
    }
    if (needs_consent(one.action))
      verb->add_flag("--yes", options->sure,
                     "do not ask whether that is meant; needed without a terminal");
    if (one.action != Action::kStatus) add_person_option(*verb, options->person);
    verb->add_option("--patience", options->patience,
                     "seconds to wait for the rig to get ready, and for the answer; "
                     "default 30")
        ->check(CLI::Range(0.001, 3600.0));
    verb->add_flag("--json", options->json, "print the site's last answer as JSON");
    verb->footer(
        moves ? "The site moves the rig only as long as this command repeats the person's "
                "word, twice a second:\nCtrl-C, a closed terminal or a killed command ends "
                "the motion in a hold, after 1 s at the latest.\nExit codes: 0 moved as "
                "commanded, 2 usage or no such folder, 3 refused, or ended before, 4 no\n"
                "process there, or it does not answer."
              : "Exit codes: 0 done, 2 usage or no such folder, 3 refused, 4 no process "
                "there, or it does not answer.");
    commands.add(verb, [options] { return command_rig(*options); });
  }
}

}  // namespace trestle::cli
