#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/commands/commands.h"
#include "cli/commands/note_writer.h"
#include "cli/commands/operated_folder.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/qr_picture.h"
#include "core/base/utc_text.h"
#include "core/types/note.h"
#include "gateway/operator/operator_client.h"
#include "gateway/operator/operator_json.h"
#include "gateway/operator/operator_request.h"
#include "gateway/operator/single_line_text.h"

namespace trestle::cli {
namespace {

/// The page flashes at a note that begins so.
constexpr const char* kMark = "sync mark ";
constexpr std::size_t kLongestCamera = 60;
constexpr std::size_t kSessionDigits = 8;

struct MarkOptions {
  std::string where;   ///< a run's folder
  std::string camera;  ///< which camera or film; may be empty
  std::string person;  ///< name that the person gave; may be empty
  double patience = 5.0;
  bool json = false;
};

/// Where the test is, when the mark is shown.
struct Mark {
  std::string session;
  std::int64_t step = -1;  ///< the last one that was done; -1: none
  double time = 0.0;       ///< of that step [s]
  std::string utc;

  /// What the code has, and a person reads.
  std::string text(const std::string& camera) const {
    char words[120];
    std::snprintf(words, sizeof words, "trestle %s step %lld t %.3f s ", session.c_str(),
                  static_cast<long long>(step), time);
    return words + utc + (camera.empty() ? "" : " " + camera);
  }
};

int refuse_mark(int code, const std::string& sentence) {
  std::fprintf(stderr, "%s\n", operators::single_line_text(sentence).c_str());
  return code;
}

void show_mark(const Mark& mark, const std::string& camera) {
  const std::string text = mark.text(camera);
  std::string all;
  if (isatty(STDOUT_FILENO) == 1)
    for (const std::string& line : qr_picture(text)) all += line + "\n";
  all += text + "\n";
  std::fwrite(all.data(), 1, all.size(), stdout);
  std::fflush(stdout);
}

int make_mark(const MarkOptions& options) {
  const std::string folder = operated_folder(options.where);
  if (folder.empty()) return refuse_mark(kExitConfiguration, no_folder(options.where));
  const std::string camera = operators::single_line_text(options.camera);
  if (camera.size() > kLongestCamera)
    return refuse_mark(kExitConfiguration, "the name of the camera has " +
                                               std::to_string(camera.size()) +
                                               " bytes; must be at most 60");
  const auto patience =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(options.patience));
  const Result<std::string> line = operators::send_operator_request(
      folder, {.verb = operators::OperatorVerb::kStatus, .reason = {}}, patience);
  if (!line)
    return refuse_mark(kExitPeerLost, folder + ": a mark belongs to a test that runs (" +
                                          line.error().detail +
                                          "); write a note instead: trestle note");
  const Result<operators::OperatorReply> reply = operators::read_answer(line.value());
  if (!reply || !reply.value().standing)
    return refuse_mark(kExitPeerLost, folder + ": does not say how the test stands");
  const auto& standing = *reply.value().standing;
  Mark made;
  made.session = standing.session.substr(0, kSessionDigits);
  made.step = standing.step;
  made.time = static_cast<double>(made.step + 1) * standing.time_step;
  // Shown first: the picture is what the camera has to see at this instant.
  made.utc = utc_text(std::chrono::duration_cast<std::chrono::nanoseconds>(
                          std::chrono::system_clock::now().time_since_epoch())
                          .count());
  if (!options.json) show_mark(made, camera);
  const Note note{.text = kMark + made.utc + (camera.empty() ? "" : " " + camera)};
  const NoteOutcome outcome = write_note(folder, note, options.person, patience);
  if (!outcome.problem.empty())
    return refuse_mark(outcome.code, outcome.problem + "; the mark is not in the record");
  if (options.json)
    std::printf("%s\n", nlohmann::json{{"session", made.session},
                                       {"step", made.step},
                                       {"time_s", made.time},
                                       {"utc", made.utc},
                                       {"camera", camera}}
                            .dump()
                            .c_str());
  else
    std::printf("%s\n", operators::single_line_text(outcome.said).c_str());
  return kExitComplete;
}

}  // namespace

void add_mark_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<MarkOptions>();
  CLI::App* const verb = app.add_subcommand(
      "mark", "show a mark to a camera, and write it into the record of a running test");
  verb->add_option("where", options->where, "folder of a run or a site, or a site's name")
      ->required();
  verb->add_option("camera", options->camera, "which camera or film: \"north, weld 2\"");
  add_person_option(*verb, options->person);
  verb->add_option("--patience", options->patience,
                   "seconds to wait for an answer; default 5")
      ->check(CLI::Range(0.001, 3600.0));
  verb->add_flag("--json", options->json, "print the mark as JSON, and no code");
  verb->footer(
      "Shows the time of the test and of the clock as a QR code and as text: film it. "
      "Pages "
      "of the test flash.\n"
      "Exit codes: 0 marked, 2 usage or no such folder, 3 refused, 4 no process runs the "
      "test, or it does not answer.");
  commands.add(verb, [options] { return make_mark(*options); });
}

}  // namespace trestle::cli
