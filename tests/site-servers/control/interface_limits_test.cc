#include "site-servers/node/interface_limits.h"

#include <gtest/gtest.h>

#include "core/base/setting_error.h"

namespace trestle::interface_limits_test {
namespace {

InterfaceLayout layout() {
  return {{.name = "floor_w.x"}, {.name = "floor_w.rz"}, {.name = "floor_e.x"}};
}

std::string complaint(const std::string& name) {
  try {
    site_node::find_dof(layout(), name, "sites.west.limits.interface[0]");
  } catch (const SettingError& error) {
    return error.what();
  }
  return "";
}

TEST(InterfaceLimits, FindADofByItsNameOrItsUniqueLastPart) {
  EXPECT_EQ(site_node::find_dof(layout(), "floor_e.x", ""), 2);
  EXPECT_EQ(site_node::find_dof(layout(), "rz", ""), 1);
}

TEST(InterfaceLimits, NameTheNearestDofWhereThereIsNone) {
  EXPECT_EQ(complaint("flor_w.rz"),
            "sites.west.limits.interface[0]: `flor_w.rz` is no interface DOF of this site; "
            "did you mean `floor_w.rz`?");
}

TEST(InterfaceLimits, PassOverForceOnlyDofs) {
  InterfaceLayout layout{{.name = "floor_w.x"}, {.name = "floor_w.rz"}};
  layout.push_back({.name = "foot.rz", .role = DofRole::kForceOnly});
  EXPECT_EQ(site_node::find_dof(layout, "rz", ""), 1) << "the only one that gets a target";
  EXPECT_THROW(site_node::find_dof(layout, "foot.rz", "limits"), SettingError);
}

TEST(InterfaceLimits, AskForTheNodeWhereAShortNameFitsTwo) {
  EXPECT_EQ(complaint("x"),
            "sites.west.limits.interface[0]: `x` fits floor_w.x and floor_e.x; "
            "write the node too");
}

}  // namespace
}  // namespace trestle::interface_limits_test
