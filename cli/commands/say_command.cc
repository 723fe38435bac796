#include <chrono>
#include <cstdio>
#include <memory>
#include <string>

#include "cli/commands/commands.h"
#include "cli/commands/operated_folder.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "core/base/result.h"
#include "core/types/announcement.h"
#include "gateway/operator/operator_client.h"
#include "gateway/operator/operator_json.h"
#include "gateway/operator/operator_request.h"
#include "gateway/operator/single_line_text.h"

namespace trestle::cli {
namespace {

struct SayOptions {
  std::string where;  ///< a run's folder, a site's, or a site's name
  std::string text;
  std::string person;     ///< name that the person gave; may be empty
  double patience = 5.0;  ///< with a process that does not answer [s]
  bool json = false;
};

int say_problem(int code, const std::string& sentence) {
  std::fprintf(stderr, "%s\n", operators::single_line_text(sentence).c_str());
  return code;
}

int say_to_all(const SayOptions& options) {
  const std::string folder = operated_folder(options.where);
  if (folder.empty()) return say_problem(kExitConfiguration, no_folder(options.where));
  const std::string text = operators::single_line_text(options.text);
  if (text.empty() || text.size() > kLongestAnnouncement)
    return say_problem(kExitConfiguration,
                       "the message has " + std::to_string(text.size()) +
                           " bytes; it takes 1 to " + std::to_string(kLongestAnnouncement));
  const Result<std::string> line = operators::send_operator_request(
      folder,
      {.verb = operators::OperatorVerb::kSay,
       .reason = {},
       .as = options.person,
       .note = {.text = text}},
      std::chrono::duration_cast<Duration>(
          std::chrono::duration<double>(options.patience)));
  if (!line)
    return say_problem(
        line.error().code == ErrorCode::kRefused ? kExitStopped : kExitPeerLost,
        line.error().detail);
  if (options.json) std::printf("%s\n", line.value().c_str());
  const Result<operators::OperatorReply> reply = operators::read_answer(line.value());
  if (!reply) return say_problem(kExitPeerLost, folder + ": " + reply.error().detail);
  if (!reply.value().refusal.empty())
    return say_problem(kExitStopped, reply.value().refusal);
  if (!options.json)
    std::printf("%s\n", operators::single_line_text(reply.value().said).c_str());
  return kExitComplete;
}

}  // namespace

void add_say_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<SayOptions>();
  CLI::App* const verb =
      app.add_subcommand("say", "send a message to all people and nodes of a test");
  verb->add_option("where", options->where, "folder of a run or a site, or a site's name")
      ->required();
  verb->add_option("text", options->text, "the message: \"back in ten minutes\"")
      ->required();
  add_person_option(*verb, options->person);
  verb->add_option("--patience", options->patience,
                   "seconds to wait for an answer; default 5")
      ->check(CLI::Range(0.001, 3600.0));
  verb->add_flag("--json", options->json, "print the answer as JSON");
  verb->footer(
      "The integrator and each site print the message and keep it in their records; "
      "nothing moves.\n"
      "Exit codes: 0 said, 2 usage or no such folder, 3 refused, 4 no process there, or it "
      "does not answer.");
  commands.add(verb, [options] { return say_to_all(*options); });
}

}  // namespace trestle::cli
