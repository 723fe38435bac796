#include "composition/hybrid_test/unit_checks.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/setting_error.h"
#include "core/types/interface_layout.h"

namespace trestle::composition {
namespace {

class UnitChecks {
 public:
  explicit UnitChecks(const yaml::SourceMap& where) : where_(where) {}

  void expect(const std::string& path, DofKind kind, const std::string& what) {
    const yaml::UnitClass unit = where_.unit_class(path);
    const yaml::UnitClass wrong = kind == DofKind::kRotation ? yaml::UnitClass::kTranslation
                                                             : yaml::UnitClass::kRotation;
    if (unit != wrong) return;
    problems_.push_back({path, what + (kind == DofKind::kRotation
                                           ? " is a rotation; give its value in rad, mrad, "
                                             "rad/s, N.m or N.m/rad"
                                           : " is a translation; give its value in m, mm, "
                                             "mm/s, N or N/m")});
  }

  void actuator(const std::string& path, DofKind kind, const std::string& what) {
    for (const char* field :
         {"displacement", "rate", "force", "tracking_error", "acceleration"})
      expect(path + "." + field, kind, what);
  }

  /// One limit for all actuators fits neither kind alone, so only lists of one each are
  /// checked.
  void actuator_in_lists(const std::string& site, int actuators, int index, DofKind kind,
                         const std::string& what) {
    for (const char* list :
         {".safe_action.ramp_home.rate", ".safe_action.ramp_home.acceleration",
          ".safe_action.unload.rate", ".safe_action.unload.band",
          ".safe_action.unload.travel", ".start_checks.zero_displacement",
          ".start_checks.zero_force", ".start_checks.polarity_motion"}) {
      const std::string path = site + list;
      const std::string last = path + "[" + std::to_string(actuators - 1) + "]";
      if (where_.unit_class(last) == yaml::UnitClass::kNone) continue;
      expect(path + "[" + std::to_string(index) + "]", kind, what);
    }
  }

  /// A law between two rotations has N.m/rad and N.m; one between two translations N/m and
  /// N.
  void law(const std::string& path, DofKind kind, const std::string& what, int points = 0) {
    for (const char* form : {"linear", "bilinear", "bouc_wen"})
      for (const char* field : {"stiffness", "yield_force"})
        expect(path + "." + form + "." + field, kind, what);
    for (const char* form : {"gap", "hook"})
      for (const char* field : {"stiffness", "gap", "damping"})
        expect(path + "." + form + "." + field, kind, what);
    expect(path + ".viscous.stiffness", kind, what);
    expect(path + ".friction_pendulum.stiffness", kind, what);
    for (int i = 0; i < points; ++i) {
      const std::string point = path + ".multi_linear.points[" + std::to_string(i) + "]";
      expect(point + ".displacement", kind, what);
      expect(point + ".force", kind, what);
    }
  }

  void frame(const config::Frame& frame, const std::string& frame_path) {
    for (int i = 0; i < frame.springs_size(); ++i) {
      const config::Spring& spring = frame.springs(i);
      const std::string path = frame_path + ".springs[" + std::to_string(i) + "]";
      const bool turns = spring.dof() == config::DOF_RZ || spring.dof() == config::DOF_RX ||
                         spring.dof() == config::DOF_RY;
      const DofKind kind = turns ? DofKind::kRotation : DofKind::kTranslation;
      const std::string what = "the spring's DOF of node " + spring.node();
      law(path + ".law", kind, what, spring.law().multi_linear().points_size());
      expect(path + ".damping", kind, what);
    }
    for (int i = 0; i < frame.links_size(); ++i) {
      const config::FrameLink& link = frame.links(i);
      const auto turns = [](int dof) {
        return dof == config::DOF_RZ || dof == config::DOF_RX || dof == config::DOF_RY;
      };
      const bool rotations = std::any_of(link.dofs().begin(), link.dofs().end(), turns);
      law(frame_path + ".links[" + std::to_string(i) + "].law",
          rotations ? DofKind::kRotation : DofKind::kTranslation,
          "the deformation of the link from " + link.from() + " to " + link.to(),
          link.law().multi_linear().points_size());
    }
    for (int i = 0; i < frame.members_size(); ++i) {
      const config::PlasticEnds& ends = frame.members(i).plastic();
      const std::string path = frame_path + ".members[" + std::to_string(i) + "].plastic";
      const std::string what = "the deformation of a hinge from " +
                               frame.members(i).from() + " to " + frame.members(i).to();
      hinge(path + ".from", ends.from(), what);
      hinge(path + ".to", ends.to(), what);
    }
  }

  void hinge(const std::string& path, const config::PlasticEnd& end,
             const std::string& what) {
    law(path + ".rz", DofKind::kRotation, what, end.rz().multi_linear().points_size());
    law(path + ".ry", DofKind::kRotation, what, end.ry().multi_linear().points_size());
  }

  void storeys(const config::ShearBuilding& building, const std::string& building_path) {
    for (int i = 0; i < building.storeys_size(); ++i) {
      const std::string path = building_path + ".storeys[" + std::to_string(i) + "]";
      const std::string what = "storey " + building.storeys(i).name();
      expect(path + ".stiffness", DofKind::kTranslation, what);
      law(path + ".law", DofKind::kTranslation, what,
          building.storeys(i).law().multi_linear().points_size());
    }
  }

  void specimen(const config::Site& site, const std::string& path) {
    const config::Specimen& specimen = site.rig().specimen();
    frame(specimen.frame().frame(), path + ".frame.frame");
    for (int i = 0; i < specimen.springs().laws_size() && i < site.interface_size(); ++i)
      law(path + ".springs.laws[" + std::to_string(i) + "]", dof_kind(site.interface(i)),
          "the specimen's spring at " + site.interface(i));
  }

  void done() {
    if (!problems_.empty()) throw SettingError(std::move(problems_));
  }

 private:
  const yaml::SourceMap& where_;
  std::vector<SettingIssue> problems_;
};

}  // namespace

void check_units(const config::Test& test, const yaml::SourceMap& where) {
  UnitChecks checks(where);
  checks.frame(test.numerical().frame(), "numerical.frame");
  checks.storeys(test.numerical().shear_building(), "numerical.shear_building");
  checks.expect("pseudo_dynamic.rotation_rate", DofKind::kRotation,
                "what pseudo_dynamic.rotation_rate limits");
  for (int i = 0; i < test.sites_size(); ++i) {
    const config::Site& site = test.sites(i);
    const std::string path = "sites[" + std::to_string(i) + "]";
    for (int j = 0; j < site.limits().interface_size(); ++j) {
      const std::string& dof = site.limits().interface(j).dof();
      for (const char* field : {"displacement", "rate", "acceleration"})
        checks.expect(path + ".limits.interface[" + std::to_string(j) + "]." + field,
                      dof_kind(dof), dof);
    }
    checks.specimen(site, path + ".rig.specimen");
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
      checks.expect(path + ".rig.disturbances.friction" + number, kind, what);
      checks.actuator_in_lists(path, site.interface_size(), j, kind, what);
    }
  }
  checks.done();
}

}  // namespace trestle::composition
