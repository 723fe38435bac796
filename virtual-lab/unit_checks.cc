#include "virtual-lab/unit_checks.h"

#include <string>
#include <vector>

#include "core/types/interface_layout.h"
#include "core/types/setting_error.h"

namespace trestle {
namespace {

class UnitChecks {
 public:
  explicit UnitChecks(const SourceMap& where) : where_(where) {}

  void expect(const std::string& path, DofKind kind, const std::string& what) {
    const UnitClass unit = where_.unit_class(path);
    const UnitClass wrong =
        kind == DofKind::kRotation ? UnitClass::kTranslation : UnitClass::kRotation;
    if (unit != wrong) return;
    problems_.push_back({path, what + (kind == DofKind::kRotation
                                           ? " is a rotation; give its value in rad, mrad, "
                                             "rad/s, N.m or N.m/rad"
                                           : " is a translation; give its value in m, mm, "
                                             "mm/s, N or N/m")});
  }

  void actuator(const std::string& path, DofKind kind, const std::string& what) {
    for (const char* field : {"displacement", "rate", "force", "tracking_error"})
      expect(path + "." + field, kind, what);
  }

  /// A law between two rotations has N.m/rad and N.m; one between two translations N/m and
  /// N.
  void law(const std::string& path, DofKind kind, const std::string& what) {
    for (const char* form : {"linear", "bilinear", "bouc_wen"})
      for (const char* field : {"stiffness", "yield_force"})
        expect(path + ".law." + form + "." + field, kind, what);
  }

  void done() {
    if (!problems_.empty()) throw SettingError(std::move(problems_));
  }

 private:
  const SourceMap& where_;
  std::vector<SettingProblem> problems_;
};

}  // namespace

void check_units(const config::Test& test, const SourceMap& where) {
  UnitChecks checks(where);
  const auto& springs = test.numerical().frame().springs();
  for (int i = 0; i < springs.size(); ++i) {
    const std::string path = "numerical.frame.springs[" + std::to_string(i) + "]";
    const DofKind kind =
        springs[i].dof() == config::DOF_RZ ? DofKind::kRotation : DofKind::kTranslation;
    const std::string what = "the spring's DOF of node " + springs[i].node();
    checks.law(path, kind, what);
    checks.expect(path + ".damping", kind, what);
  }
  const auto& storeys = test.numerical().shear_building().storeys();
  for (int i = 0; i < storeys.size(); ++i) {
    const std::string path = "numerical.shear_building.storeys[" + std::to_string(i) + "]";
    const std::string what = "storey " + storeys[i].name();
    checks.expect(path + ".stiffness", DofKind::kTranslation, what);
    checks.law(path, DofKind::kTranslation, what);
  }
  for (int i = 0; i < test.sites_size(); ++i) {
    const config::Site& site = test.sites(i);
    const std::string path = "sites[" + std::to_string(i) + "]";
    for (int j = 0; j < site.limits().interface_size(); ++j) {
      const std::string& dof = site.limits().interface(j).dof();
      checks.expect(path + ".limits.interface[" + std::to_string(j) + "].displacement",
                    dof_kind(dof), dof);
    }
    // With a matrix it is not known here what an actuator moves; those of a coupler push.
    if (site.loading_frame().has_matrix()) continue;
    const bool push = site.loading_frame().has_coupler();
    for (int j = 0; j < site.interface_size(); ++j) {
      const DofKind kind = push ? DofKind::kTranslation : dof_kind(site.interface(j));
      const std::string number = "[" + std::to_string(j) + "]";
      const std::string what = "actuator " + std::to_string(j + 1) +
                               (push ? std::string() : " (" + site.interface(j) + ")");
      checks.actuator(path + ".limits.actuators" + number, kind, what);
      checks.actuator(path + ".rig.noise" + number, kind, what);
    }
  }
  checks.done();
}

}  // namespace trestle
