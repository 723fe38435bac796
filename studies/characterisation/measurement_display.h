#pragma once

#include <cstdint>
#include <string>

namespace trestle::characterisation {

/// The output of a measurement of real equipment for the person at its terminal. No call
/// waits for a reader.
class MeasurementDisplay {
 public:
  virtual ~MeasurementDisplay() = default;

  /// Returns true if it is time to show progress again.
  virtual bool due() const = 0;
  virtual void show(std::int64_t ticks_done, const std::string& doing) = 0;
  virtual void show_wait(const std::string& waiting_for) = 0;
  /// Number of control ticks in all, as far as they are planned now.
  virtual void plan(std::int64_t ticks) = 0;
  /// Text that stays, with its line ends.
  virtual void print(const std::string& text) = 0;
  virtual void end() = 0;
  /// Ends the program: a thread is in a function of the rig that does not return, so
  /// nothing that it uses may be destroyed.
  virtual void abandon(const std::string& why) = 0;
};

}  // namespace trestle::characterisation
