#include "composition/processes/disk_wait_status.h"

#include <cmath>
#include <utility>

namespace trestle::composition {

void DiskWaitStatus::keep(NodeStatus last) {
  now_ = std::move(last);
}

void DiskWaitStatus::wait_for(const std::string& file, Duration waited, Duration left) {
  file_ = file;
  left_ = left;
  now_.waits = {{"the disk of " + file, "the end of the record", seconds(waited),
                 seconds(left), then_}};
}

std::string DiskWaitStatus::refusal() const {
  return "this process takes no command any more: it waits for the disk of " + file_ +
         " to take the end of the record, at most " +
         std::to_string(std::lround(std::ceil(seconds(left_)))) +
         " s more, and ends; see to the disk";
}

std::string DiskWaitStatus::arm(const std::string& /*by*/) {
  return refusal();
}

std::string DiskWaitStatus::hold(const std::string& /*by*/, const std::string& /*reason*/) {
  return refusal();
}

std::string DiskWaitStatus::resume(const std::string& /*by*/) {
  return refusal();
}

std::string DiskWaitStatus::stop(const std::string& /*by*/, const std::string& /*reason*/) {
  return refusal();
}

std::string DiskWaitStatus::clear(const std::string& /*by*/) {
  return refusal();
}

std::string DiskWaitStatus::note(const std::string& /*by*/, const Note& /*note*/) {
  return refusal() + ". Write the note again then";
}

std::string DiskWaitStatus::command_rig(const std::string& /*by*/,
                                        const RigRequest& /*request*/) {
  return refusal();
}

}  // namespace trestle::composition
