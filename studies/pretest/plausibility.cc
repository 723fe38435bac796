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

class Doubts {
 public:
  Doubts(const yaml::SourceMap& where, std::vector<std::string>& found)
      : where_(where), found_(found) {}

  void stroke(const std::string& path, double metres) {
    if (metres < kLongStroke || where_.unit_class(path) != yaml::UnitClass::kNone) return;
    add(path, "displacement is " + text("%g", metres) + " without a unit, which is " +
                  text("%g m", metres) + ". Was " + text("%g mm", metres) +
                  " meant? Write the unit");
  }

  void node(const std::string& path, const config::Node& node) {
    for (const double coordinate : {node.x(), node.y()})
      if (std::abs(coordinate) >= kLargeFrame)
        return add(path, "node " + node.name() + " is at " + text("%g m", coordinate) +
                             ". Were millimetres meant? Write the unit");
  }

 private:
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
  for (int i = 0; i < test.numerical().frame().nodes_size(); ++i)
    doubts.node("numerical.frame.nodes[" + std::to_string(i) + "]",
                test.numerical().frame().nodes(i));
  for (int i = 0; i < test.sites_size(); ++i) {
    const config::Site& site = test.sites(i);
    const std::string limits = "sites[" + std::to_string(i) + "].limits.";
    for (int j = 0; j < site.limits().interface_size(); ++j) {
      const config::InterfaceLimit& limit = site.limits().interface(j);
      if (dof_kind(limit.dof()) != DofKind::kRotation)
        doubts.stroke(limits + "interface[" + std::to_string(j) + "].displacement",
                      limit.displacement());
    }
    for (int j = 0; j < site.limits().actuators_size(); ++j) {
      const bool turns =
          site.loading_frame().kind_case() == config::LoadingFrame::kIdentity &&
          j < site.interface_size() && dof_kind(site.interface(j)) == DofKind::kRotation;
      if (!turns && site.limits().actuators(j).has_displacement())
        doubts.stroke(limits + "actuators[" + std::to_string(j) + "].displacement",
                      site.limits().actuators(j).displacement());
    }
  }
  return found;
}

}  // namespace trestle::pretest
