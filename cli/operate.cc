#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>

#include "cli/exit_code.h"
#include "cli/operate_verbs.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "core/types/time.h"
#include "gateway/operator/operator_client.h"
#include "gateway/operator/operator_json.h"
#include "gateway/operator/operator_socket.h"
#include "gateway/operator/plain_text.h"
#include "gateway/operator/standing_words.h"

namespace trestle {
namespace {

namespace fs = std::filesystem;

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

/// A folder that is served comes before one that is only there. @returns empty: there is
/// none
std::string folder_of(const std::string& where) {
  const std::string site = "runs/site-" + folder_name(where);
  for (const std::string& folder : {where, site})
    if (is_there(folder + "/" + kOperatorSocket)) return folder;
  for (const std::string& folder : {where, site})
    if (is_folder(folder)) return folder;
  return {};
}

/// What a person can do where no process serves the folder.
std::string advice(const std::string& folder) {
  if (is_there(folder + "/summary.json"))
    return "; the run has ended: see " + folder + "/summary.json";
  if (is_run(folder)) return "; if the run died: trestle resume " + folder;
  return "";
}

std::string worded(const OperatorAnswer& answer) {
  if (!answer.said.empty()) return plain_text(answer.said) + "\n";
  std::string text;
  for (const std::string& line : answer.why) text += plain_text(line) + "\n";
  if (text.empty() && answer.standing) text = status_text(*answer.standing);
  return text;
}

int show(const std::string& folder, const std::string& line, bool json) {
  const Result<OperatorAnswer> answer = read_answer(line);
  if (!answer) return say(kExitPeer, folder + ": " + answer.error().detail);
  if (json) std::printf("%s\n", line.c_str());
  if (!answer.value().refusal.empty()) return say(kExitStopped, answer.value().refusal);
  if (!json) std::fputs(worded(answer.value()).c_str(), stdout);
  return kExitComplete;
}

}  // namespace

int operate(OperatorVerb verb, const OperateOptions& options) {
  const std::string folder = folder_of(options.where);
  if (folder.empty())
    return say(kExitConfiguration, "there is no folder " + options.where +
                                       ", and none of a site runs/site-" +
                                       folder_name(options.where));
  if (verb == OperatorVerb::kClear && is_run(folder))
    return say(kExitConfiguration,
               folder +
                   " is a run's folder; a fault is cleared at its site only, by the person "
                   "there: trestle clear SITE, on the site's host");
  if (options.reason.size() > kLongestReason)
    return say(kExitConfiguration, "--reason has " + std::to_string(options.reason.size()) +
                                       " bytes; must be at most " +
                                       std::to_string(kLongestReason));
  const Result<std::string> line =
      ask_operated(folder, {verb, options.reason},
                   std::chrono::duration_cast<Duration>(
                       std::chrono::duration<double>(options.patience)));
  if (line) return show(folder, line.value(), options.json);
  const bool nobody = line.error().code == ErrorCode::kUnavailable;
  if (nobody && verb == OperatorVerb::kResume && is_run(folder))
    return resume_run(folder, options.json);
  if (line.error().code == ErrorCode::kRefused)
    return say(kExitStopped, line.error().detail);
  return say(kExitPeer, line.error().detail + (nobody ? advice(folder) : ""));
}

}  // namespace trestle
