#pragma once

#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "core/ports/site_adapter.h"

namespace trestle::site_node {

/// The first reading of a rig that may have been driven before.
struct RigFound {
  AdapterStatus status = AdapterStatus::kOk;
  Measurement seen;
};

/// One read; it may take its time.
RigFound find_rig(SiteAdapter& adapter);
/// @throws std::runtime_error  the rig's driver offers no release
void release_rig(SiteAdapter& adapter);

/// What follows the preparation of a rig, on the same thread.
enum class AfterPreparation {
  kNothing,
  kLook,          ///< reads the rig once
  kRelease,       ///< makes it safe to approach (SiteAdapter::release)
  kReleaseAlone,  ///< the same, of a rig that is prepared and holds: no preparation
};

/// Runs SiteAdapter::prepare() on a separate thread: it may wait for equipment that does
/// not answer, and the node's thread must read its other messages meanwhile.
class RigPreparation {
 public:
  /// Begins. Until it is done, only hold() may be called on the adapter.
  /// @param adapter  must outlive this
  RigPreparation(SiteAdapter& adapter, const RigRun& run,
                 AfterPreparation then = AfterPreparation::kNothing);
  /// Aborts a running preparation by hold(). If the adapter does not return within seconds,
  /// ends the process: the adapter could not be destroyed safely.
  ~RigPreparation();
  RigPreparation(const RigPreparation&) = delete;
  RigPreparation& operator=(const RigPreparation&) = delete;

  bool done() const noexcept;
  /// Why the rig cannot run, or be released; empty: it can. @pre done()
  const std::string& problem() const noexcept;
  /// Empty if the rig was not read, or cannot run. @pre done()
  const std::optional<RigFound>& found() const noexcept;
  /// Ends the wait for the preparation.
  void give_up() noexcept { adapter_.hold(); }

 private:
  struct Outcome;

  SiteAdapter& adapter_;
  std::unique_ptr<Outcome> outcome_;
  std::thread thread_;
};

}  // namespace trestle::site_node
