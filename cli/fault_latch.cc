#include "cli/fault_latch.h"

#include <filesystem>
#include <fstream>

#include "cli/output.h"

namespace trestle {

FaultLatch::FaultLatch(const std::string& folder) : path_(folder + "/fault") {
  std::ifstream file(path_);
  if (!file) return;
  std::getline(file, reason_);
  if (reason_.empty()) reason_ = "a fault that was met before this program was started";
}

void FaultLatch::follow(const SiteNode& site) {
  if (site.state() == SessionState::kFault && reason_.empty()) {
    reason_ = site.reason();
    write_file(path_, reason_ + "\n");
  } else if (site.state() != SessionState::kFault && !reason_.empty()) {
    reason_.clear();
    std::filesystem::remove(path_);
  }
}

}  // namespace trestle
