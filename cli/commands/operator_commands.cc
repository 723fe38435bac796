#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/commands/arm_checklist.h"
#include "cli/commands/commands.h"
#include "cli/commands/operated_folder.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/local_time.h"
#include "composition/processes/rig_place.h"
#include "core/base/refused_target.h"
#include "core/base/shell_word.h"
#include "core/base/time.h"
#include "core/host/person.h"
#include "core/journal/unfinished_journal.h"
#include "gateway/operator/operator_client.h"
#include "gateway/operator/operator_json.h"
#include "gateway/operator/operator_request.h"
#include "gateway/operator/operator_socket.h"
#include "gateway/operator/single_line_text.h"
#include "gateway/operator/status_text.h"
#include "observe/live/actuator_table.h"
#include "observe/live/status_json.h"
#include "observe/live/test_follower.h"

namespace trestle::cli {
namespace {

namespace fs = std::filesystem;

struct OperateOptions {
  std::string where;       ///< a run's folder, a site's, or a site's name
  std::string reason;      ///< of hold and stop
  std::string person;      ///< name that the person gave; may be empty
  std::string drive;       ///< of clear: that the equipment has in force
  bool sure = false;       ///< a person at the terminal is not asked again before stop
  ArmChecklist checklist;  ///< of arm and resume
  double patience = 5.0;   ///< with a process that does not answer [s]
  bool json = false;
};

bool is_there(const std::string& path) {
  std::error_code none;
  return fs::exists(path, none);
}

bool is_run(const std::string& folder) {
  return is_there(folder + "/effective.yaml");
}

int say(int code, const std::string& sentence) {
  std::fprintf(stderr, "%s\n", operators::single_line_text(sentence).c_str());
  return code;
}

bool can_be_resumed(const std::string& folder) {
  try {
    return journal::find_interrupted_session(folder + "/journal.db").has_value();
  } catch (const std::runtime_error&) {
    return false;
  }
}

/// A site refused a target: the reason of the hold, in the summary, says so.
bool meets_same_target(const std::string& folder) {
  std::ifstream file(folder + "/summary.json");
  return is_refused_target(std::string{std::istreambuf_iterator<char>(file), {}});
}

/// Returns what a person can do if no process serves the folder.
std::string advice(const std::string& folder) {
  const bool ended = is_there(folder + "/summary.json");
  if (ended && can_be_resumed(folder) && meets_same_target(folder))
    return "; the test is held, and " + std::string(kRefusedTargetHelp);
  if (ended && can_be_resumed(folder))
    return "; the test is held, and is resumed by: trestle resume " + shell_word(folder);
  if (ended) return "; the run has ended: see " + folder + "/summary.json";
  if (is_run(folder)) return "; if the run died: trestle resume " + shell_word(folder);
  return "";
}

/// For a rig that no process drives, whose fault is still latched.
int clear_without_process(const composition::KnownRig& rig, const OperateOptions& options) {
  const host::Person who = host::this_person(options.person);
  try {
    if (const std::string why = composition::clear_fault(rig, who.text, options.drive);
        !why.empty())
      return say(kExitStopped, why);
  } catch (const std::runtime_error& error) {
    return say(kExitPeerLost, error.what());
  }
  std::printf("fault cleared by %s, while no process drives the rig (%s): %s\n",
              operators::single_line_text(who.text).c_str(), rig.rig.c_str(),
              operators::single_line_text(rig.fault).c_str());
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

std::string worded(const operators::OperatorReply& answer) {
  if (!answer.said.empty()) return operators::single_line_text(answer.said) + "\n";
  std::string text;
  for (const std::string& line : answer.why)
    text += operators::single_line_text(line) + "\n";
  if (text.empty() && answer.standing) text = operators::format_status(*answer.standing);
  return text;
}

/// One look at the records that the node writes.
live::TestView look_once(const std::string& folder, const NodeStatus& status) {
  live::TestFollower test({.folder = folder, .history_s = 10.0, .whole_work = true});
  return test.look(0.0, &status);
}

void print_status(const std::string& folder, const operators::OperatorReply& answer,
                  operators::OperatorVerb verb) {
  std::fputs(worded(answer).c_str(), stdout);
  if (!answer.standing ||
      (verb != operators::OperatorVerb::kStatus && verb != operators::OperatorVerb::kWhy))
    return;
  if (verb == operators::OperatorVerb::kStatus) {
    if (const std::string here = local_date(); !here.empty())
      std::printf("%-10s %s\n", "here", here.c_str());
    const live::TestView view = look_once(folder, *answer.standing);
    if (!view.actuators.empty())
      for (const live::ScreenRow& row :
           live::actuator_table(view.actuators, {.width = 132, .plain = true}))
        std::printf("%s\n", operators::single_line_text(row.text).c_str());
    if (!view.problem.empty())
      std::printf("%s\n", operators::single_line_text(view.problem).c_str());
  }
  const std::string next = operators::next_command(*answer.standing, folder);
  if (!next.empty()) std::printf("%-10s %s\n", "next", next.c_str());
}

int show(const std::string& folder, const std::string& line, operators::OperatorVerb verb,
         bool json) {
  const Result<operators::OperatorReply> answer = operators::read_answer(line);
  if (!answer) return say(kExitPeerLost, folder + ": " + answer.error().detail);
  const operators::OperatorReply& reply = answer.value();
  if (json && verb == operators::OperatorVerb::kStatus && reply.standing)
    std::printf("%s\n",
                live::add_to_status_json(line, look_once(folder, *reply.standing)).c_str());
  else if (json)
    std::printf("%s\n", line.c_str());
  if (!reply.refusal.empty()) return say(kExitStopped, reply.refusal);
  if (!json) print_status(folder, reply, verb);
  return kExitComplete;
}

int operate(operators::OperatorVerb verb, const OperateOptions& options) {
  const std::string folder = operated_folder(options.where);
  const std::optional<composition::KnownRig> rig = composition::rig_in_fault(options.where);
  if (folder.empty() && verb == operators::OperatorVerb::kClear && rig)
    return clear_without_process(*rig, options);
  if (folder.empty()) return say(kExitConfiguration, no_folder(options.where));
  if (verb == operators::OperatorVerb::kClear && is_run(folder))
    return say(kExitConfiguration,
               folder +
                   " is a run's folder; a fault is cleared at its site only, by the person "
                   "there: trestle clear SITE, on the site's host");
  const std::string& reason =
      options.reason.empty() ? options.checklist.reason : options.reason;
  if (reason.size() > operators::kLongestReason)
    return say(kExitConfiguration, "--reason has " + std::to_string(reason.size()) +
                                       " bytes; must be at most " +
                                       std::to_string(operators::kLongestReason));
  if (verb == operators::OperatorVerb::kStop && !options.sure && !is_meant(folder))
    return say(kExitStopped, "not stopped");
  const auto patience =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(options.patience));
  if (verb == operators::OperatorVerb::kArm || verb == operators::OperatorVerb::kResume) {
    ArmChecklist checklist = options.checklist;
    checklist.resumes = verb == operators::OperatorVerb::kResume;
    if (const std::optional<int> code =
            prepare_to_arm(folder, checklist, options.person, patience, options.json))
      return *code;
  }
  const Result<std::string> line = operators::send_operator_request(
      folder, {verb, options.reason, options.person, options.drive}, patience);
  if (line) return show(folder, line.value(), verb, options.json);
  const bool nobody = line.error().code == ErrorCode::kUnavailable;
  if (nobody && verb == operators::OperatorVerb::kResume && is_run(folder))
    return resume_run(folder, options.person, options.json);
  if (nobody && verb == operators::OperatorVerb::kResume)
    return say(kExitConfiguration, folder +
                                       " is no run's folder (no effective.yaml in it), and "
                                       "no process serves it; resume takes the folder of "
                                       "the run, at the integrator");
  if (nobody && verb == operators::OperatorVerb::kClear && rig)
    return clear_without_process(*rig, options);
  if (line.error().code == ErrorCode::kRefused)
    return say(kExitStopped, line.error().detail);
  return say(kExitPeerLost, line.error().detail + (nobody ? advice(folder) : ""));
}

void add_checklist_options(CLI::App& verb, ArmChecklist& checklist,
                           const std::string& word) {
  verb.add_option("--tick", checklist.ticks,
                  "number of an item of the checklist to confirm; may be repeated")
      ->allow_extra_args(false);
  verb.add_option("--waive", checklist.waives,
                  "number or text of an item of the checklist that may be left undone; may "
                  "be repeated; needs --reason")
      ->allow_extra_args(false);
  verb.add_option("--reason", checklist.reason,
                  "why the items of --waive may be left undone");
  verb.add_flag("--checklist", checklist.list_only,
                "confirm what --tick names, waive what --waive names, show the checklist, "
                "and do not " +
                    word);
}

}  // namespace

void add_operator_commands(CLI::App& app, CommandList& commands) {
  using enum operators::OperatorVerb;
  struct Described {
    operators::OperatorVerb verb;
    const char* help;
  };
  static constexpr std::array<Described, 7> kDescribed{
      {{kStatus, "show how a running test or site stands"},
       {kWhy, "say who waits for whom, until when, and what happens then"},
       {kArm, "tell a running test to arm its sites"},
       {kHold, "tell a running test or site to hold its rigs where they are"},
       {kResume, "resume a test that holds, or that died"},
       {kStop, "end a running test, or the test at a site, for good"},
       {kClear, "clear a site's fault, after its cause was removed"}}};
  const auto options = std::make_shared<OperateOptions>();
  for (const Described& one : kDescribed) {
    const operators::OperatorVerb word = one.verb;
    CLI::App* const verb = app.add_subcommand(std::string(operators::name(word)), one.help);
    verb->add_option("where", options->where, "folder of a run or a site, or a site's name")
        ->required();
    if (word == kHold || word == kStop)
      verb->add_option("--reason", options->reason, "for the record and the others");
    if (word == kArm || word == kResume)
      add_checklist_options(*verb, options->checklist, word == kArm ? "arm" : "resume");
    if (word == kClear)
      verb->add_option("--drive", options->drive,
                       "where the site asks for it: the drive that the equipment's "
                       "controller has in force, 14.94mm for each actuator, or "
                       "`measured`");
    if (word != kStatus && word != kWhy) add_person_option(*verb, options->person);
    if (word == kStop)
      verb->add_flag("--yes", options->sure, "do not ask whether that is meant");
    if (word == kArm)
      verb->add_flag("--yes", options->checklist.sure,
                     "do not ask at the terminal whether that is meant");
    verb->add_option("--patience", options->patience,
                     "seconds to wait for an answer; default 5")
        ->check(CLI::Range(0.001, 3600.0));
    verb->add_flag("--json", options->json, "print the answer as JSON");
    verb->footer(
        word == kResume
            ? "Exit codes: 0 followed, 2 usage or no such folder, 3 refused, 4 the process "
              "does not\nanswer. Where no process serves the folder, it continues the test "
              "itself, and they are those\nof `trestle run`: 0 complete, 3 stopped or held "
              "before the end, 4 a peer is lost."
            : "Exit codes: 0 followed, 2 usage or no such folder, 3 refused, 4 no process "
              "there, or it does not answer.");
    commands.add(verb, [options, word] { return operate(word, *options); });
  }
}

}  // namespace trestle::cli
