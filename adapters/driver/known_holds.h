#pragma once

#include <atomic>
#include <cstdint>

#include "adapters/driver/driver_page.h"

namespace trestle::driver {

/// The holds of a rig that its site knows of. The page does not tell: its driver may have
/// held by itself, as its watchdog does, and then nothing may follow that the site has
/// decided without knowing it. So the site sends its own counts with each request, and
/// the driver compares them with its own.
///
/// From a hold of the site until the first answer after it, the site cannot know how many
/// holds the driver has counted (Request::knows_held is 0), and the driver compares only
/// the holds that were requested. No drive that the site has not decided knowingly passes
/// then: one from before the hold was overtaken by it, and one from behind it waits in the
/// driver until the hold is done. From that drive on the driver itself remembers its count:
/// what it holds behind the drive is refused until the site holds, whatever the site has
/// learned meanwhile (RigWorker). Before that drive its watchdog holds nothing, because no
/// drive is in force after a hold.
class KnownHolds {
 public:
  /// Whatever was held until now is known: a site that takes the rig up, or prepares a run.
  void accept(const DriverPage& page) noexcept;

  /// Requests a hold; all that was held until now is known. Neither allocates nor locks;
  /// on any thread, in a signal handler.
  void ask(DriverPage& page) noexcept;

  /// Returns the count of requested holds that are known. A drive takes it before its first
  /// number is read: each later hold overtakes the drive.
  std::uint32_t asked() const noexcept { return asked_.load(); }

  /// Before a request.
  /// @param asked  asked() when the call of the request began
  void add_to(Request& request, const DriverPage& page, std::uint32_t asked) noexcept;
  /// After its answer, if that is valid.
  void learn(const Answer& answer) noexcept;

 private:
  std::atomic<std::uint32_t> asked_{0};  // holds on the page that the site knows of
  std::atomic<bool> forgets_{false};     // how many holds the driver has counted
  std::uint32_t held_ = 0;               // Answer::held, when `asked_` was `held_after_`
  std::uint32_t held_after_ = 0;
  bool knows_held_ = false;
  bool learns_ = false;  // from the next answer: all holds were done before its request
};

}  // namespace trestle::driver
