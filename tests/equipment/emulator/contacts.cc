#include "contacts.h"

#include <iterator>

namespace equipment {

bool Contacts::set(const std::string& name, const std::string& level) {
  static const char* const names[] = {"estop", "pressure", "cage", "amplifier_ready"};
  for (std::uint32_t i = 0; i < std::size(names); ++i) {
    if (name != names[i]) continue;
    const std::uint32_t bit = 1U << i;
    if (level == "lost")
      known_ &= ~bit;
    else if (level == "open" || level == "closed")
      known_ |= bit;
    else
      return false;
    closed_ = level == "closed" ? closed_ | bit : closed_ & ~bit;
    log_.say("contact name=%s level=%s", name.c_str(), level.c_str());
    return true;
  }
  return false;
}

void Contacts::take_outputs(std::uint32_t closed) {
  if (closed == outputs_) return;
  outputs_ = closed;
  log_.say("outputs site_ready=%u test_running=%u", closed & 1U, closed >> 1 & 1U);
}

}  // namespace equipment
