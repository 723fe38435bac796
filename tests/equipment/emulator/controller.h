#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hydraulics.h"
#include "rig_log.h"

namespace equipment {

struct ControllerSettings {
  double watchdog =
      0.1;  ///< it holds by itself after so long without an order while it follows [s]
  double most_force = 55e3;   ///< interlock [N]
  double most_stroke = 0.25;  ///< interlock [m]
};

enum class Order : std::uint32_t { kIdle, kFollow, kHold, kLeave };
const char* word_of(Order order);

/// The digital servo controller: takes orders, minds its interlock chain and its own
/// watchdog, and moves its rams. A hold freezes the drive that is in force; an open
/// interlock shuts the valves.
class Controller {
 public:
  enum Interlock : std::uint32_t {
    kEmergencyStop = 1,
    kWatchdog = 2,  ///< closes again with the next order that is no `follow`
    kForce = 4,
    kStroke = 8,
    kSupply = 16,
  };

  Controller(ControllerSettings settings, std::vector<Ram> rams, RigLog& log);

  /// @param via how it came, for the log; @param sequence of that connection
  void take(const char* via, std::uint64_t sequence, Order order, const double* drive);
  /// Advances the equipment's own time.
  void advance(std::int64_t ns);
  void open(Interlock interlock, const char* because);
  void reset();

  std::int64_t clock_ns() const { return clock_ns_; }
  std::uint32_t status() const { return status_; }
  Order standing() const { return standing_; }
  std::size_t actuators() const { return rams.size(); }
  double drive(std::size_t i) const { return drive_[i]; }
  void log_state();

  ControllerSettings is;
  std::vector<Ram> rams;

 private:
  void mind_interlocks();

  RigLog& log_;
  std::array<double, 4> drive_{};  ///< in force [m]
  Order standing_ = Order::kIdle;
  std::uint32_t status_ = 0;
  std::int64_t clock_ns_ = 0;
  std::int64_t heard_ns_ = 0;
  std::int64_t rest_ns_ = 0;  ///< of the clock, not yet a whole step of the physics
  std::uint32_t steps_ = 0;
};

}  // namespace equipment
