#include "site-servers/node/fault_latch.h"

#include <fstream>
#include <stdexcept>

#include "core/base/lasting_file.h"

namespace trestle::site_node {
namespace {

// One disk block: an allocated block can be overwritten when the disk is full.
constexpr std::size_t kRoom = 4096;

/// Renames a file durably; never ends the program.
bool move(const std::string& from, const std::string& to) noexcept {
  try {
    move_file(from, to);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

FaultLatch::FaultLatch(const std::string& folder, const std::string& before)
    : folder_(folder),
      before_(before.empty() ? before : before + "/fault"),
      path_(folder + "/fault"),
      room_(folder + "/fault.room") {
  std::ifstream file(path_);
  const bool moves = !file && !before_.empty();
  if (moves) file.open(before_);
  kept_ = static_cast<bool>(file);
  if (kept_) {
    std::getline(file, reason_);
    if (moves) keep();
    if (reason_.empty()) reason_ = kUnknownFault;
  } else if (write_in_place(room_, "", kRoom)) {
    sync_folder(folder_);
  } else {
    throw std::runtime_error(room_ + ": cannot be written");
  }
}

bool FaultLatch::is_to_follow(session::SessionState state,
                              const std::string& reason) const noexcept {
  if (state != session::SessionState::kFault) return kept_ || !reason_.empty();
  return !kept_ || (reason_ != reason && !reason.empty());
}

std::string FaultLatch::follow(session::SessionState state, const std::string& reason) {
  if (state != session::SessionState::kFault) {
    const bool cleared = kept_;
    if (cleared && !before_.empty()) move(before_, before_ + ".cleared");
    reason_.clear();
    kept_ = false;
    return !cleared || move(path_, room_)
               ? std::string()
               : path_ +
                     ": cannot be taken away; the fault is found again when this "
                     "program is started again";
  }
  if (kept_) {
    // A stronger interlock, or how its release ended, is added to the sentence.
    if (reason_ != reason && !reason.empty()) {
      reason_ = reason;
      write_in_place(path_, sentence(), kRoom);
    }
    return {};
  }
  const bool first = reason_.empty();
  reason_ = reason;
  kept_ = keep();
  if (kept_ || !first) return {};
  return path_ +
         ": the fault cannot be kept there; it is latched only as long as this program "
         "runs";
}

/// Who looks for a fault reads the first line.
std::string FaultLatch::sentence() const {
  const bool blank = reason_.empty() || reason_.front() == '\n';
  return blank ? kUnknownFault + reason_ : reason_;
}

bool FaultLatch::keep() const {
  return write_in_place(room_, sentence(), kRoom) && move(room_, path_);
}

}  // namespace trestle::site_node
