#include "cli/commands/report_maker.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace trestle::cli {
namespace {

/// Every page that waited for a report gets the same one.
constexpr std::chrono::seconds kTakenFor{5};

/// Ten hours are reported in half a minute; longer than this, a disk does not answer.
constexpr std::chrono::minutes kLongest{10};

std::string content_of(std::FILE* file) {
  std::rewind(file);
  std::string text;
  char part[65536];
  for (std::size_t n = 0; (n = std::fread(part, 1, sizeof part, file)) > 0;)
    text.append(part, n);
  return text;
}

/// @returns the first line, without its end
std::string sentence_of(std::FILE* file) {
  std::string text = content_of(file);
  text.resize(std::min(text.find('\n'), text.size()));
  return text;
}

}  // namespace

ReportMaker::ReportMaker(std::vector<std::string> folders) : folders_(std::move(folders)) {}

/// It does not wait: a process that hangs in its disk does not end.
ReportMaker::~ReportMaker() {
  if (child_ != 0) ::kill(child_, SIGKILL);
}

std::optional<std::string> ReportMaker::take() {
  if (child_ == 0) {
    if (!made_.empty() && Clock::now() - made_at_ < kTakenFor) return made_;
    made_.clear();
    begin();
    return std::nullopt;
  }
  int status = 0;
  if (::waitpid(child_, &status, WNOHANG) == 0) {
    if (Clock::now() - begun_ < kLongest) return std::nullopt;
    ::kill(child_, SIGKILL);
    throw std::runtime_error("no report: `trestle report` of " + folders_.front() +
                             " is not done after 10 minutes; does its disk answer?");
  }
  child_ = 0;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    const std::string sentence = sentence_of(problem_.get());
    throw std::runtime_error(sentence.empty() ? "`trestle report` of " + folders_.front() +
                                                    " ended without a report"
                                              : sentence);
  }
  made_ = content_of(document_.get());
  made_at_ = Clock::now();
  return made_;
}

void ReportMaker::begin() {
  document_.reset(std::tmpfile());
  problem_.reset(std::tmpfile());
  if (!document_ || !problem_)
    throw std::runtime_error(std::string("no report: a temporary file cannot be made: ") +
                             std::strerror(errno));
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, ::fileno(document_.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, ::fileno(problem_.get()), STDERR_FILENO);
  // Neither the socket that listens nor those of who watches: the port is free when this
  // process has ended.
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  std::vector<std::string> words{"trestle", "report"};
  words.insert(words.end(), folders_.begin(), folders_.end());
  words.insert(words.end(), {"--out", "-"});
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const int failed =
      ::posix_spawn(&child_, "/proc/self/exe", &files, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  begun_ = Clock::now();
  if (failed == 0) return;
  child_ = 0;
  throw std::runtime_error(std::string("no report: `trestle report` cannot be started: ") +
                           std::strerror(failed));
}

}  // namespace trestle::cli
