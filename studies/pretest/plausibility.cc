#include "studies/pretest/plausibility.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/types/interface_layout.h"

namespace trestle::pretest {
namespace {

// A stroke of a metre or more exists in few laboratories, and is written with its unit
// there.
constexpr double kLongStroke = 1.0;  // [m]
// The longest bridges span two kilometres, and no frame of a test is a tenth of one.
constexpr double kLargeFrame = 1000.0;  // [m]

std::string text(const char* format, double value) {
  char line[64];
  std::snprintf(line, sizeof line, format, value);
  return line;
}

/// The actuators that each move one DOF of the interface, if it is a rotation.
std::vector<bool> turning_actuators(const config::Site& site) {
  std::vector<bool> turning;
  if (site.loading_frame().kind_case() != config::LoadingFrame::kIdentity) return turning;
  for (const std::string& dof : site.interface())
    turning.push_back(dof_kind(dof) == DofKind::kRotation);
  return turning;
}

class Doubts {
 public:
  Doubts(const yaml::SourceMap& where, std::vector<std::string>& found)
      : where_(where), found_(found) {}

  void frame(const std::string& path, const config::Frame& frame) {
    for (int i = 0; i < frame.nodes_size(); ++i)
      node(path + ".nodes[" + std::to_string(i) + "]", frame.nodes(i));
    row(path + ".regular.bays", "bay", frame.regular().bays());
    row(path + ".regular.storeys", "storey", frame.regular().storeys());
    row(path + ".regular.depth", "bay", frame.regular().depth());
  }

  /// @param turning  of each actuator that is known to move a rotation
  void limits(const std::string& path, const config::Limits& limits,
              const std::vector<bool>& turning) {
    for (int j = 0; j < limits.interface_size(); ++j)
      if (dof_kind(limits.interface(j).dof()) != DofKind::kRotation)
        stroke(path + ".interface[" + std::to_string(j) + "].displacement",
               limits.interface(j).displacement());
    for (std::size_t j = 0; j < static_cast<std::size_t>(limits.actuators_size()); ++j) {
      const config::ActuatorLimit& limit = limits.actuators(static_cast<int>(j));
      const bool turns = j < turning.size() && turning[j];
      if (!turns && limit.has_displacement())
        stroke(path + ".actuators[" + std::to_string(j) + "].displacement",
               limit.displacement());
    }
  }

  void rig(const std::string& path, const config::Rig& rig) {
    frame(path + ".specimen.frame.frame", rig.specimen().frame().frame());
  }

  void site(const std::string& path, const config::Site& site) {
    limits(path + ".limits", site.limits(), turning_actuators(site));
    rig(path + ".rig", site.rig());
  }

 private:
  void stroke(const std::string& path, double metres) {
    if (metres < kLongStroke || where_.unit_class(path) != yaml::UnitClass::kNone) return;
    add(path, "displacement is " + text("%g", metres) + " without a unit, which is " +
                  text("%g m", metres) + ". Was " + text("%g mm", metres) +
                  " meant? Write the unit");
  }

  void node(const std::string& path, const config::Node& node) {
    for (const double coordinate : {node.x(), node.y(), node.z()})
      if (std::abs(coordinate) >= kLargeFrame)
        return add(path, "node " + node.name() + " is at " + text("%g m", coordinate) +
                             ". Were millimetres meant? Write the unit");
  }

  /// Of a regular frame. Its nodes are made of it later, and stand nowhere in the file.
  void row(const std::string& path, const char* part, const config::RegularRow& row) {
    const auto size = [&](const std::string& field, double metres) {
      if (metres >= kLargeFrame)
        add(path + "." + field, std::string("a ") + part + " is " + text("%g m", metres) +
                                    ". Were millimetres meant? Write the unit");
    };
    size("width", row.width());
    size("height", row.height());
    const auto longest = std::max_element(row.sizes().begin(), row.sizes().end());
    if (longest != row.sizes().end()) size("sizes", *longest);
  }

  /// Once: several sites may share a value by an anchor.
  void add(const std::string& path, const std::string& what) {
    std::string doubt = where_.location(path) + ": " + what;
    if (std::find(found_.begin(), found_.end(), doubt) == found_.end())
      found_.push_back(std::move(doubt));
  }

  const yaml::SourceMap& where_;
  std::vector<std::string>& found_;
};

}  // namespace

std::vector<std::string> doubtful_numbers(const config::Test& test,
                                          const yaml::SourceMap& where) {
  std::vector<std::string> found;
  Doubts doubts(where, found);
  doubts.frame("numerical.frame", test.numerical().frame());
  doubts.frame("reference.numerical.frame", test.reference().numerical().frame());
  for (int i = 0; i < test.sites_size(); ++i)
    doubts.site("sites[" + std::to_string(i) + "]", test.sites(i));
  return found;
}

std::vector<std::string> doubtful_numbers(const config::SiteFile& file,
                                          const yaml::SourceMap& where) {
  std::vector<std::string> found;
  Doubts doubts(where, found);
  // Which DOFs its actuators move is said by the test.
  doubts.limits("limits", file.limits(), {});
  doubts.rig("rig", file.rig());
  return found;
}

std::vector<std::string> doubtful_numbers(const config::GatewayFile& file,
                                          const yaml::SourceMap& where) {
  std::vector<std::string> found;
  Doubts doubts(where, found);
  for (int i = 0; i < file.sites_size(); ++i)
    doubts.site("sites[" + std::to_string(i) + "]", file.sites(i));
  return found;
}

}  // namespace trestle::pretest
