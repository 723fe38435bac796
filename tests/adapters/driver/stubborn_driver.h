#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "adapters/driver/driver_proxy.h"
#include "adapters/plugin/plugin_rig.h"

namespace trestle::driver::driver_test {

constexpr double kTick = 0.02;

/// A site's clock: a tick passes from one write to the next, whatever the host does.
class TickClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return now_ += std::chrono::milliseconds(5); }
  void advance_to(TimePoint until) noexcept override { now_ = until; }

 private:
  mutable TimePoint now_{};
};

/// Real equipment behind the plug-in `stubborn`, in a driver process; and its site.
class StubbornDriver {
 public:
  /// @param name  of the test: its folder
  explicit StubbornDriver(const std::string& name);
  ~StubbornDriver();
  StubbornDriver(const StubbornDriver&) = delete;
  StubbornDriver& operator=(const StubbornDriver&) = delete;

  DriverSettings settings;

  /// Takes up or starts the driver, and prepares a run.
  void open();
  /// The site ends in order.
  void close() { rig_.reset(); }
  /// One tick. @returns whether both calls were well
  bool tick(double drive);
  plugin::PluginRig& rig() { return *rig_; }
  DriverProxy& proxy() { return *proxy_; }
  pid_t driver() const { return proxy_->driver(); }
  /// The plug-in does not come back from this function; empty: it does.
  void stick(const std::string& function) const;
  /// What reached the plug-in: "drive 0.001", "hold 0", ...
  std::vector<std::string> log() const;
  /// The position of the last such entry in the log; -1: there is none.
  int last(const std::string& entry) const;
  std::string why() const { return rig_->diagnostic_message(); }

 private:
  std::string folder_;
  DriverProxy* proxy_ = nullptr;
  std::unique_ptr<plugin::PluginRig> rig_;
  int ticks_ = 0;
};

/// Waits until it is so; at most 20 s. @returns whether it is
bool eventually(const std::function<bool()>& is_so);

/// Whether the process has ended.
bool has_ended(pid_t process);

}  // namespace trestle::driver::driver_test
