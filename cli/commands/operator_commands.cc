#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "composition/processes/rig_place.h"
#include "composition/processes/run_folder.h"
#include "core/base/time.h"
#include "core/host/person.h"
#include "core/journal/unfinished_journal.h"
#include "gateway/operator/operator_client.h"
#include "gateway/operator/operator_json.h"
#include "gateway/operator/operator_request.h"
#include "gateway/operator/operator_socket.h"
#include "gateway/operator/plain_text.h"
#include "gateway/operator/status_text.h"

namespace trestle {
namespace {

namespace fs = std::filesystem;

struct OperateOptions {
  std::string where;      ///< a run's folder, a site's, or a site's name
  std::string reason;     ///< of hold and stop
  std::string person;     ///< name that the person gave; may be empty
  std::string drive;      ///< of clear: that the equipment has in force
  bool sure = false;      ///< a person at the terminal is not asked again before stop
  double patience = 5.0;  ///< with a process that does not answer [s]
  bool json = false;
};

bool is_there(const std::string& path) {
  std::error_code none;
  return fs::exists(path, none);
}

bool is_folder(const std::string& path) {
  std::error_code none;
  return fs::is_directory(path, none);
}

bool is_run(const std::string& folder) {
  return is_there(folder + "/effective.yaml");
}

int say(int code, const std::string& sentence) {
  std::fprintf(stderr, "%s\n", plain_text(sentence).c_str());
  return code;
}

/// A folder that is served comes before one that is only there, and the working directory
/// before what this host knows of its rigs. @returns empty: there is none
std::string folder_of(const std::string& where) {
  const std::string site = "runs/site-" + to_folder_name(where);
  std::vector<std::string> folders{where, site};
  if (const std::optional<KnownRig> rig = known_rig(where)) folders.push_back(rig->serves);
  for (const std::string& folder : folders)
    if (is_there(folder + "/" + kOperatorSocket)) return folder;
  for (const std::string& folder : folders)
    if (is_folder(folder)) return folder;
  return {};
}

bool can_be_resumed(const std::string& folder) {
  try {
    return find_interrupted_session(folder + "/journal.db").has_value();
  } catch (const std::runtime_error&) {
    return false;
  }
}

/// What a person can do where no process serves the folder.
std::string advice(const std::string& folder) {
  const bool ended = is_there(folder + "/summary.json");
  if (ended && can_be_resumed(folder))
    return "; the test is held, and goes on by: trestle resume " + folder;
  if (ended) return "; the run has ended: see " + folder + "/summary.json";
  if (is_run(folder)) return "; if the run died: trestle resume " + folder;
  return "";
}

/// Of a rig that no process drives, whose fault is still latched.
int clear_without_process(const KnownRig& rig, const OperateOptions& options) {
  const Person who = this_person(options.person);
  try {
    if (const std::string why = clear_fault(rig, who.text, options.drive); !why.empty())
      return say(kExitStopped, why);
  } catch (const std::runtime_error& error) {
    return say(kExitPeerLost, error.what());
  }
  std::printf("fault cleared by %s, while no process drives the rig (%s): %s\n",
              plain_text(who.text).c_str(), rig.rig.c_str(), plain_text(rig.fault).c_str());
  return kExitComplete;
}

/// A person at a terminal is asked once more before a test is over for good.
bool is_meant(const std::string& folder) {
  if (isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1) return true;
  std::fprintf(stderr,
               "%s: a test that is stopped cannot be resumed; `trestle hold` keeps it.\n"
               "Stop it for good? [y/N] ",
               folder.c_str());
  std::array<char, 16> answer{};
  return std::fgets(answer.data(), answer.size(), stdin) != nullptr &&
         (answer[0] == 'y' || answer[0] == 'Y');
}

std::string worded(const OperatorReply& answer) {
  if (!answer.said.empty()) return plain_text(answer.said) + "\n";
  std::string text;
  for (const std::string& line : answer.why) text += plain_text(line) + "\n";
  if (text.empty() && answer.standing) text = format_status(*answer.standing);
  return text;
}

int show(const std::string& folder, const std::string& line, bool json) {
  const Result<OperatorReply> answer = read_answer(line);
  if (!answer) return say(kExitPeerLost, folder + ": " + answer.error().detail);
  if (json) std::printf("%s\n", line.c_str());
  if (!answer.value().refusal.empty()) return say(kExitStopped, answer.value().refusal);
  if (!json) std::fputs(worded(answer.value()).c_str(), stdout);
  return kExitComplete;
}

int operate(OperatorVerb verb, const OperateOptions& options) {
  const std::string folder = folder_of(options.where);
  const std::optional<KnownRig> rig = known_rig(options.where);
  if (folder.empty() && verb == OperatorVerb::kClear && rig && !rig->fault.empty())
    return clear_without_process(*rig, options);
  if (folder.empty())
    return say(kExitConfiguration, "there is no folder " + options.where +
                                       ", and none of a site runs/site-" +
                                       to_folder_name(options.where));
  if (verb == OperatorVerb::kClear && is_run(folder))
    return say(kExitConfiguration,
               folder +
                   " is a run's folder; a fault is cleared at its site only, by the person "
                   "there: trestle clear SITE, on the site's host");
  if (options.reason.size() > kLongestReason)
    return say(kExitConfiguration, "--reason has " + std::to_string(options.reason.size()) +
                                       " bytes; must be at most " +
                                       std::to_string(kLongestReason));
  if (verb == OperatorVerb::kStop && !options.sure && !is_meant(folder))
    return say(kExitStopped, "not stopped");
  const Result<std::string> line =
      send_operator_request(folder, {verb, options.reason, options.person, options.drive},
                            std::chrono::duration_cast<Duration>(
                                std::chrono::duration<double>(options.patience)));
  if (line) return show(folder, line.value(), options.json);
  const bool nobody = line.error().code == ErrorCode::kUnavailable;
  if (nobody && verb == OperatorVerb::kResume && is_run(folder))
    return resume_run(folder, options.person, options.json);
  if (nobody && verb == OperatorVerb::kResume)
    return say(kExitConfiguration, folder +
                                       " is no run's folder (no effective.yaml in it), and "
                                       "no process serves it; resume takes the folder of "
                                       "the run, at the integrator");
  if (nobody && verb == OperatorVerb::kClear && rig && !rig->fault.empty())
    return clear_without_process(*rig, options);
  if (line.error().code == ErrorCode::kRefused)
    return say(kExitStopped, line.error().detail);
  return say(kExitPeerLost, line.error().detail + (nobody ? advice(folder) : ""));
}

}  // namespace

void add_operator_commands(CLI::App& app, CommandList& commands) {
  using enum OperatorVerb;
  struct Described {
    OperatorVerb verb;
    const char* help;
  };
  static constexpr std::array<Described, 7> kDescribed{
      {{kStatus, "show how a running test or site stands"},
       {kWhy, "say who waits for whom, until when, and what happens then"},
       {kArm, "tell a running test to arm its sites"},
       {kHold, "tell a running test or site to hold its rigs where they are"},
       {kResume, "go on with a test that holds, or that died"},
       {kStop, "end a running test, or the test at a site, for good"},
       {kClear, "clear a site's fault, after its cause was removed"}}};
  const auto options = std::make_shared<OperateOptions>();
  for (const Described& one : kDescribed) {
    const OperatorVerb word = one.verb;
    CLI::App* const verb = app.add_subcommand(std::string(name(word)), one.help);
    verb->add_option("where", options->where, "folder of a run or a site, or a site's name")
        ->required();
    if (word == kHold || word == kStop)
      verb->add_option("--reason", options->reason, "for the record and the others");
    if (word == kClear)
      verb->add_option("--drive", options->drive,
                       "where the site asks for it: the drive that the equipment's "
                       "controller has in force, 14.94mm for each actuator, or "
                       "`measured`");
    if (word != kStatus && word != kWhy) add_person_option(*verb, options->person);
    if (word == kStop)
      verb->add_flag("--yes", options->sure, "do not ask whether that is meant");
    verb->add_option("--patience", options->patience,
                     "seconds to wait for an answer; default 5")
        ->check(CLI::Range(0.001, 3600.0));
    verb->add_flag("--json", options->json, "print the answer as JSON");
    verb->footer(
        "Exit codes: 0 followed, 2 usage or no such folder, 3 refused, 4 no process there, "
        "or it does not answer.");
    commands.add(verb, [options, word] { return operate(word, *options); });
  }
}

}  // namespace trestle
