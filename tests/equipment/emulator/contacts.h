#pragma once

#include <cstdint>
#include <string>

#include "rig_log.h"

namespace equipment {

/// The contacts between the equipment's chain and the site: what the site is shown, and
/// what it tells. They stop nothing here: whether the site reacts is what a test wants to
/// know.
class Contacts {
 public:
  explicit Contacts(RigLog& log) : log_(log) {}

  /// @param what  NAME open, NAME closed or NAME lost. @returns false: no such contact
  bool set(const std::string& name, const std::string& level);
  /// As the site sets them: bit 0 site_ready, bit 1 test_running.
  void take_outputs(std::uint32_t closed);

  /// Bit 0 estop, 1 pressure, 2 cage, 3 amplifier_ready.
  std::uint32_t known() const { return known_; }
  std::uint32_t closed() const { return closed_ & known_; }
  std::uint32_t outputs() const { return outputs_; }

 private:
  RigLog& log_;
  std::uint32_t known_ = 15;
  std::uint32_t closed_ = 15;
  std::uint32_t outputs_ = 0;
};

}  // namespace equipment
