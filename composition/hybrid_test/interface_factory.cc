#include "composition/hybrid_test/interface_factory.h"

#include "composition/rigs/simulated_factory.h"
#include "composition/sites/kinematics_factory.h"
#include "core/base/setting_error.h"

namespace trestle::composition {
namespace {

constexpr int kCouplerDofs = 2;

}  // namespace

InterfaceLayout make_interface_layout(const config::Site& site) {
  InterfaceLayout layout;
  for (const std::string& name : site.interface()) layout.push_back({name, dof_kind(name)});
  for (const std::string& name : site.force_only())
    layout.push_back({name, dof_kind(name), DofRole::kForceOnly});
  return layout;
}

std::unique_ptr<const LoadingFrame> loading_frame(const config::SiteFile& file) {
  int dofs = 0;
  if (file.loading_frame().has_coupler()) {
    dofs = kCouplerDofs;
  } else if (file.loading_frame().has_matrix()) {
    const auto& rows = file.loading_frame().matrix().actuator_from_interface();
    dofs = rows.empty() ? 0 : rows[0].values_size();
  } else {
    dofs = rig_actuators(file.rig());
    if (dofs == 0) dofs = file.limits().actuators_size();
    if (dofs == 0)
      throw SettingError("rig", "nothing says how many actuators site " + file.site() +
                                    " has; list its actuators, their limits or their "
                                    "noise, or give the matrix of its loading frame");
  }
  return make_loading_frame(file.loading_frame(), dofs, "loading_frame");
}

std::unique_ptr<const LoadingFrame> loading_frame(const config::Site& site,
                                                  const std::string& path) {
  auto frame = make_loading_frame(site.loading_frame(), site.interface_size(),
                                  path + ".loading_frame");
  InterfaceLayout moved = make_interface_layout(site);
  moved.resize(static_cast<std::size_t>(site.interface_size()));
  if (const std::string why = frame->refusal_of(moved); !why.empty())
    throw SettingError(path + ".interface", why);
  return frame;
}

}  // namespace trestle::composition
