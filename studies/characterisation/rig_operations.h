#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "core/ports/operator_interface.h"
#include "core/ports/run_log.h"

namespace trestle {

/// What people may ask of a measurement of real equipment, and tell it, while it goes on:
/// arm it, and end it. Whoever holds or stops it ends it in a hold, for half a measurement
/// tells nothing. Writes down who did so.
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

  /// "actuator 1: the step", of so many ticks in all.
  void begin(const std::string& what, std::int64_t ticks_planned);
  /// @param ticks  since the rig's thread began
  void done(std::int64_t ticks) noexcept;

  const std::string& armed_by() const noexcept { return armed_by_; }
  /// Who wants it to end, and why; empty: nobody.
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

}  // namespace trestle
