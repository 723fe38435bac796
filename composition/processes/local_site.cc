#include "composition/processes/local_site.h"

#include <optional>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/link_factory.h"
#include "composition/hybrid_test/pacing_factory.h"
#include "composition/hybrid_test/rig_factory.h"
#include "composition/processes/rig_opening.h"
#include "composition/sites/calibration_factory.h"
#include "composition/sites/control_factory.h"

namespace trestle::composition {

LocalSite make_local_site(const config::Test& test, int index,
                          const std::string& software) {
  const config::Site& site = test.sites(index);
  const std::string path = "sites[" + std::to_string(index) + "]";
  const config::Recording& recording = test.recording();
  const int every = recording.has_ticks() ? static_cast<int>(recording.ticks()) : 1;
  LocalSite here{site_settings(site, software, every, path), nullptr, nullptr, nullptr};
  // The claim comes first: a plug-in's open() may take the rig away from the process that
  // drives it.
  here.claim = claim_rig(site, path);
  {
    std::optional<RigOpening> opening;
    if (here.claim != nullptr) opening.emplace();
    here.rig = make_rig(site, path);
    if (opening) opening->opened(here.rig->description().real_equipment);
  }
  keep_if_real(here.claim, here.rig->description().real_equipment);
  here.settings.ticks.coefficients = recording.coefficients();
  const RigDescription rig = here.rig->description();
  require_limits(
      make_limits(site.limits(), static_cast<int>(rig.actuators.size()), path + ".limits"),
      here.settings, rig, path);
  require_known_channels(here.settings.stated, rig, path + ".calibration");
  if (site.has_link())
    here.link = make_link(site.link(), test.seed(), site.name(), path + ".link");
  here.control_thread = control_thread_of(site.control_thread());
  return here;
}

}  // namespace trestle::composition
