#include "cli/terminal/print_pdf.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

namespace trestle::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kLongestPrint{120};
constexpr std::chrono::milliseconds kPrintPollInterval{50};

/// Starts the first of these programs that is installed; 0: none is.
pid_t start_browser(const std::vector<std::string>& arguments) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  for (const char* program : {"chromium", "chromium-browser", "google-chrome"}) {
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    if (::posix_spawnp(&child, program, &actions, nullptr, pointers.data(), environ) == 0)
      break;
    child = 0;
  }
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

/// @returns whether the program ended well in time
bool wait_for(pid_t child) {
  const auto until = std::chrono::steady_clock::now() + kLongestPrint;
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > until) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      return false;
    }
    std::this_thread::sleep_for(kPrintPollInterval);
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::string print_pdf(const std::string& html, const std::string& pdf) {
  std::error_code ignored;
  const fs::path profile =
      fs::temp_directory_path() / ("trestle-print-" + std::to_string(::getpid()));
  fs::remove(pdf, ignored);
  std::vector<std::string> arguments{"--headless", "--disable-gpu",
                                     "--no-pdf-header-footer",
                                     "--user-data-dir=" + profile.string(),
                                     "--print-to-pdf=" + fs::absolute(pdf).string()};
  // Chromium's sandbox refuses to work for root; the page has no script.
  if (::geteuid() == 0) arguments.emplace_back("--no-sandbox");
  arguments.push_back("file://" + fs::absolute(html).string());
  const pid_t child = start_browser(arguments);
  if (child == 0)
    return "there is no PDF: Chromium prints it, and is not installed (Debian: apt-get "
           "install chromium); or open " +
           html + " in any browser and print it";
  const bool ended_well = wait_for(child);
  fs::remove_all(profile, ignored);
  if (ended_well && fs::exists(pdf, ignored)) return {};
  return "there is no PDF: Chromium could not write " + pdf +
         "; look whether its folder may be written to, or open " + html +
         " in a browser and print it";
}

}  // namespace trestle::cli
