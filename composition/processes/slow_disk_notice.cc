#include "composition/processes/slow_disk_notice.h"

#include <chrono>

namespace trestle::composition {
namespace {

constexpr Duration kBetweenNotices = std::chrono::seconds(5);

}  // namespace

std::string SlowDiskNotice::due(const std::string& file, TimePoint now) {
  if (file.empty()) {
    told_.reset();
    return {};
  }
  if (told_ && now - *told_ < kBetweenNotices) return {};
  const bool first = !told_;
  told_ = now;
  return first ? std::string()
               : "still waits for the disk of " + file + " to take the end of the record";
}

}  // namespace trestle::composition
