#include "composition/processes/process_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <system_error>

#include "core/base/utc_text.h"

namespace trestle::composition {
namespace {

int open_log(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0)
    throw std::runtime_error(path + ": cannot be written (" +
                             std::generic_category().message(errno) +
                             "); see to its folder, then start again");
  return file;
}

/// `2026-11-22T02:51:40.123Z`
std::string log_stamp() {
  using std::chrono::nanoseconds;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return utc_text(std::chrono::duration_cast<nanoseconds>(now).count());
}

}  // namespace

ProcessLog::ProcessLog(const std::string& folder)
    : file_descriptor_(open_log(folder + "/site.log")),
      file_(file_descriptor_),
      terminal_(STDERR_FILENO) {}

// A thread may still be writing there if the disk hangs: the descriptor stays open.
ProcessLog::~ProcessLog() = default;

void ProcessLog::write(const std::string& line) {
  const std::string whole = log_stamp() + "  " + line + "\n";
  file_.write(whole);
  terminal_.write(whole);
  if (told_ || terminal_.dropped() == 0) return;
  told_ = true;
  file_.write(log_stamp() +
              "  nobody reads stderr: lines are dropped there, and kept in this file\n");
}

void ProcessLog::say(const std::string& line) {
  write(line);
}

void ProcessLog::warn(const std::string& line) {
  write(line);
}

}  // namespace trestle::composition
