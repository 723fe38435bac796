#include "cli/fault_latch.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace trestle {
namespace {

// A block of a disk: what is in it can be written anew where no other is free.
constexpr std::size_t kRoom = 4096;

bool put(const std::string& path, const std::string& sentence) {
  std::string block = sentence.substr(0, kRoom - 1);
  block.resize(kRoom, '\n');
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return false;
  const bool kept =
      pwrite(file, block.data(), block.size(), 0) == static_cast<ssize_t>(block.size()) &&
      fsync(file) == 0;
  close(file);
  return kept;
}

/// Names in it survive a loss of power.
void settle(const std::string& folder) {
  const int place = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (place < 0) return;
  fsync(place);
  close(place);
}

}  // namespace

FaultLatch::FaultLatch(const std::string& folder, const std::string& before)
    : folder_(folder),
      before_(before.empty() ? before : before + "/fault"),
      path_(folder + "/fault"),
      room_(folder + "/fault.room") {
  std::ifstream file(path_);
  if (!file && !before_.empty()) file.open(before_);
  kept_ = static_cast<bool>(file);
  if (kept_) {
    std::getline(file, reason_);
    if (reason_.empty()) reason_ = "a fault that was met before this program was started";
  } else if (put(room_, "")) {
    settle(folder_);
  } else {
    throw std::runtime_error(room_ + ": cannot be written");
  }
}

std::string FaultLatch::follow(const SiteNode& site) {
  if (site.state() != SessionState::kFault) {
    if (kept_) std::rename(path_.c_str(), room_.c_str());
    if (kept_ && !before_.empty())
      std::rename(before_.c_str(), (before_ + ".cleared").c_str());
    reason_.clear();
    kept_ = false;
    return {};
  }
  if (kept_) return {};
  const bool first = reason_.empty();
  reason_ = site.reason();
  kept_ = keep();
  if (kept_ || !first) return {};
  return path_ +
         ": the fault cannot be kept there; it is latched only as long as this program "
         "runs";
}

bool FaultLatch::keep() const {
  if (!put(room_, reason_) || std::rename(room_.c_str(), path_.c_str()) != 0) return false;
  settle(folder_);
  return true;
}

}  // namespace trestle
