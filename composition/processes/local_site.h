#pragma once

#include <memory>
#include <optional>
#include <string>

#include "composition/processes/rig_claim.h"
#include "core/network/link_model.h"
#include "core/ports/recorder.h"
#include "core/ports/site_adapter.h"
#include "proto/config/test.pb.h"
#include "site-servers/node/control_thread.h"
#include "site-servers/node/site_settings.h"

namespace trestle::composition {

/// A site in the integrator's process.
struct LocalSite {
  site_node::SiteSettings settings;
  std::unique_ptr<RigClaim> claim;  ///< null: the rig is simulated. It outlives the rig
  std::unique_ptr<SiteAdapter> rig;
  std::unique_ptr<Recorder> recorder;
  std::optional<network::LinkSettings> link = {};  ///< emulated network to it
  site_node::ControlThreadSettings control_thread =
      {};  ///< in a paced mode on the wall clock
};

/// Site number `index` of the test with a new rig, and no recorder yet.
/// @throws SettingError  with paths that begin at `sites[index]`, also if another process
///         drives the rig
LocalSite make_local_site(const config::Test& test, int index, const std::string& software);

}  // namespace trestle::composition
