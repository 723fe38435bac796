#pragma once

#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "core/ports/site_adapter.h"

namespace trestle {

/// A rig that may have been driven before: what a look at it says.
struct RigFound {
  AdapterStatus status = AdapterStatus::kOk;
  Measurement seen;
};

/// One read; it may take its time.
RigFound find_rig(SiteAdapter& adapter);

/// Runs SiteAdapter::prepare() on a separate thread: it may wait for equipment that does
/// not answer, and the node's thread must read its other messages meanwhile.
class RigPreparation {
 public:
  /// Begins. Nobody but hold() is called on the adapter until it is done.
  /// @param adapter  must outlive this
  /// @param look     at the rig, when it is ready
  RigPreparation(SiteAdapter& adapter, const RigRun& run, bool look = false);
  /// Aborts a running preparation by hold(). If the adapter does not return within seconds,
  /// ends the process: the adapter could not be destroyed safely.
  ~RigPreparation();
  RigPreparation(const RigPreparation&) = delete;
  RigPreparation& operator=(const RigPreparation&) = delete;

  bool done() const noexcept;
  /// Why the rig cannot run; empty: it can. @pre done()
  const std::string& problem() const noexcept;
  /// Nothing where nobody looked, or it cannot run. @pre done()
  const std::optional<RigFound>& found() const noexcept;
  /// Nobody waits for it any more.
  void give_up() noexcept { adapter_.hold(); }

 private:
  struct Outcome;

  SiteAdapter& adapter_;
  std::unique_ptr<Outcome> outcome_;
  std::thread thread_;
};

}  // namespace trestle
