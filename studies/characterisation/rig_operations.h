#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "core/ports/operator_interface.h"
#include "core/ports/run_log.h"

namespace trestle::characterisation {

/// The operator's commands and queries during a measurement with real equipment: arm it and
/// end it. A hold or stop command ends the measurement in a hold, because half a
/// measurement has no value. Records who gave the command.
class RigOperations final : public OperatorInterface {
 public:
  /// @param log  of the measurement; outlives this
  RigOperations(std::string site, double tick, RunLog& log)
      : site_(std::move(site)), tick_(tick), log_(log) {}

  NodeStatus status() const override;
  std::string arm(const std::string& by) override;
  std::string hold(const std::string& by, const std::string& reason) override;
  std::string resume(const std::string& by) override;
  std::string stop(const std::string& by, const std::string& reason) override;
  std::string clear(const std::string& by) override;

  /// A signal that ends this program ends the measurement in a hold.
  /// @param from    "terminal", "signal"
  /// @param reason  with its name and who sent it: "SIGTERM by ada@lab"
  void leave(const std::string& by, const std::string& from, const std::string& reason);

  /// Sets the present activity, "actuator 1: the step", and its planned ticks.
  void begin(const std::string& what, std::int64_t ticks_planned);
  /// @param ticks  since the rig's thread began
  void done(std::int64_t ticks) noexcept;

  const std::string& armed_by() const noexcept { return armed_by_; }
  /// Returns who requested the end, and why; empty: none.
  const std::string& asked() const noexcept { return asked_; }
  const std::string& doing() const noexcept { return doing_; }
  std::int64_t planned() const noexcept { return planned_; }
  std::int64_t ticks_done() const noexcept { return ticks_done_; }

 private:
  std::string end(const std::string& word, const std::string& by,
                  const std::string& reason);

  std::string site_;
  double tick_;
  RunLog& log_;
  std::string armed_by_;
  std::string asked_;
  std::string doing_;
  std::int64_t planned_ = 0;
  std::int64_t ticks_seen_ = 0;
  std::int64_t ticks_before_ = -1;  // the first planned move; −1: it is yet to come
  std::int64_t ticks_done_ = 0;     // of those that are planned
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

}  // namespace trestle::characterisation
