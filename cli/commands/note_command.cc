#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "cli/commands/commands.h"
#include "cli/commands/note_writer.h"
#include "cli/commands/operated_folder.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/test_time.h"
#include "core/types/note.h"
#include "gateway/operator/single_line_text.h"
#include "observe/records/note_file.h"

namespace trestle::cli {
namespace {

struct NoteOptions {
  std::string where;  ///< a run's folder, a site's, or a site's name
  std::string text;
  std::string person;                ///< name that the person gave; may be empty
  std::string file;                  ///< to be kept beside the record; may be empty
  std::string video;                 ///< the same, of a video; may be empty
  std::string starts;                ///< of the video: time of the test: "12.3 s"
  std::string site;                  ///< that it is about; may be empty
  std::string at;                    ///< time of the test: "17.4 s"; may be empty
  std::optional<std::int64_t> step;  ///< none: now
  double patience = 5.0;             ///< with a process that does not answer [s]
  bool json = false;
};

int note_problem(int code, const std::string& sentence) {
  std::fprintf(stderr, "%s\n", operators::single_line_text(sentence).c_str());
  return code;
}

int note(const NoteOptions& options) {
  const std::string folder = operated_folder(options.where);
  if (folder.empty()) return note_problem(kExitConfiguration, no_folder(options.where));
  const auto patience =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(options.patience));
  Note note{.text = operators::single_line_text(options.text)};
  if (options.step) note.step = *options.step;
  note.site = options.site;
  note.video_starts = read_test_time(options.starts);
  if (!options.starts.empty() && !note.video_starts)
    return note_problem(kExitConfiguration,
                        "--starts " + options.starts +
                            " is no time of the test, such as 12.3s, or -4s before it");
  const std::optional<double> time = read_test_time(options.at);
  if (!options.at.empty() && (!time || *time < 0.0))
    return note_problem(kExitConfiguration,
                        "--at " + options.at + " is no time of the test, such as 17.4s");
  if (note.text.empty() || note.text.size() > kLongestNote)
    return note_problem(kExitConfiguration,
                        "the note has " + std::to_string(note.text.size()) +
                            " bytes; it takes 1 to " + std::to_string(kLongestNote) +
                            ": write two notes, or put the text into a file (--file)");
  try {
    if (time) note.step = step_at(folder, *time, patience);
    const std::string& file = options.video.empty() ? options.file : options.video;
    if (!file.empty()) records::keep_note_file(folder, file, note);
  } catch (const std::exception& error) {
    return note_problem(kExitConfiguration, error.what());
  }
  const NoteOutcome outcome = write_note(folder, note, options.person, patience);
  if (options.json && !outcome.answer.empty()) std::printf("%s\n", outcome.answer.c_str());
  if (!outcome.problem.empty())
    return note_problem(
        outcome.code,
        outcome.problem + (note.file.empty() ? ""
                                             : "; its file is kept in " + folder +
                                                   "/files/" + note.file));
  if (!options.json || outcome.answer.empty())
    std::printf("%s\n", operators::single_line_text(outcome.said).c_str());
  return kExitComplete;
}

}  // namespace

void add_note_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<NoteOptions>();
  CLI::App* const verb =
      app.add_subcommand("note", "write a remark, and a file, into the record of a test");
  verb->add_option("where", options->where, "folder of a run or a site, or a site's name")
      ->required();
  verb->add_option("text", options->text, "the remark: \"crack at the weld\"")->required();
  CLI::Option* const step =
      verb->add_option("--step", options->step,
                       "the step that it is about; default: the last one that was done")
          ->check(CLI::Range(std::int64_t{-1}, std::int64_t{1} << 53U));
  verb->add_option("--at", options->at, "the time of the test that it is about: 17.4s")
      ->excludes(step);
  CLI::Option* const file = verb->add_option(
      "--file,--photo", options->file,
      "file to keep beside the record, up to 64 MiB; a PNG or JPEG picture is "
      "shown in the report");
  CLI::Option* const video =
      verb->add_option("--video", options->video,
                       "video to keep beside the record, up to 64 MiB; needs --starts")
          ->excludes(file);
  CLI::Option* const starts =
      verb->add_option("--starts", options->starts,
                       "time of the test in the video's first picture: 12.3s")
          ->needs(video);
  video->needs(starts);
  verb->add_option("--site", options->site, "site that it is about; default: the test");
  add_person_option(*verb, options->person);
  verb->add_option("--patience", options->patience,
                   "seconds to wait for an answer; default 5")
      ->check(CLI::Range(0.001, 3600.0));
  verb->add_flag("--json", options->json, "print the answer as JSON");
  verb->footer(
      "While a process serves the folder, it writes the note; otherwise the note is added "
      "to the journal of the run, marked so.\n"
      "Exit codes: 0 noted, 2 usage, no such folder or file, 3 refused, 4 the journal "
      "cannot be written, or the process does not answer.");
  commands.add(verb, [options] { return note(*options); });
}

}  // namespace trestle::cli
