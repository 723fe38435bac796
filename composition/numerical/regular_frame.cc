#include "composition/numerical/regular_frame.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "core/base/nearest_name.h"
#include "core/base/setting_error_collector.h"
#include "proto/config/numerical.pb.h"

namespace trestle::composition {
namespace {

class RegularPart {
 public:
  RegularPart(const config::Frame& frame, const std::string& path)
      : regular_(frame.regular()), path_(path + ".regular"), frame_(frame) {
    x_ = places(regular_.bays(), "bays", "width");
    z_ = places(regular_.storeys(), "storeys", "height");
    y_ = regular_.has_depth() ? places(regular_.depth(), "depth", "width")
                              : std::vector<double>{0.0};
    for (const std::string& name : regular_.without()) without_.insert(name);
    if (!spatial() && regular_.floor_inertia() > 0.0)
      problems_.add(path_ + ".floor_inertia",
                    "is of the diaphragms of a spatial frame; leave it out");
    if (regular_.joint_mass() > 0.0 && regular_.floor_mass() > 0.0)
      problems_.add(path_ + ".floor_mass",
                    "both joint_mass and floor_mass are given; give one of them");
    problems_.throw_if_any();
  }

  config::Frame build() {
    add_nodes();
    add_members();
    add_masses();
    for (int i = 0; i < regular_.without_size(); ++i)
      if (!left_out_.contains(regular_.without(i)))
        problems_.add(path_ + ".without[" + std::to_string(i) + "]",
                      "the regular frame has no member `" + regular_.without(i) + "`" +
                          suggest(regular_.without(i), names_));
    problems_.throw_if_any();
    return std::move(frame_);
  }

 private:
  bool spatial() const { return regular_.has_depth(); }

  /// Coordinates of the lines of a row, from 0.
  std::vector<double> places(const config::RegularRow& row, const char* what,
                             const char* size) {
    const std::string here = path_ + "." + what;
    const bool is_width = std::string(size) == "width";
    const double own = is_width ? row.width() : row.height();
    const bool has_own = is_width ? row.has_width() : row.has_height();
    const bool has_other = is_width ? row.has_height() : row.has_width();
    std::vector<double> at{0.0};
    const bool counted = row.has_count() && has_own;
    const bool listed = !row.sizes().empty() && !row.has_count() && !has_own;
    if (has_other || (counted ? !row.sizes().empty() : !listed))
      problems_.add(here, std::string("needs either `count` and `") + size +
                              "`, or a list of `sizes`");
    if (counted)
      for (std::uint32_t i = 1; i <= row.count(); ++i) at.push_back(i * own);
    else
      for (const double length : row.sizes()) at.push_back(at.back() + length);
    return at;
  }

  std::string suffix(std::size_t storey, std::size_t x, std::size_t y) const {
    const std::string own = std::to_string(storey) + "." + std::to_string(x);
    return spatial() ? own + "." + std::to_string(y) : own;
  }

  template <typename Visit>
  void each_joint(std::size_t from_storey, Visit visit) {
    for (std::size_t storey = from_storey; storey < z_.size(); ++storey)
      for (std::size_t y = 0; y < y_.size(); ++y)
        for (std::size_t x = 0; x < x_.size(); ++x) visit(storey, x, y);
  }

  void add_nodes() {
    config::Support& support = *frame_.add_supports();
    if (regular_.base() == config::REGULAR_BASE_FIXED) {
      support.add_fixed(config::DOF_ALL);
    } else {
      support.add_fixed(config::DOF_X);
      support.add_fixed(config::DOF_Y);
      if (spatial()) support.add_fixed(config::DOF_Z);
    }
    each_joint(0, [&](std::size_t storey, std::size_t x, std::size_t y) {
      config::Node& node = *frame_.add_nodes();
      node.set_name("n" + suffix(storey, x, y));
      node.set_x(x_[x]);
      node.set_y(spatial() ? y_[y] : z_[storey]);
      if (spatial()) node.set_z(z_[storey]);
      if (storey == 0) support.add_nodes(node.name());
    });
  }

  void add_member(const std::string& name, const std::string& section,
                  const std::string& from, const std::string& to) {
    names_.push_back(name);
    if (without_.contains(name)) {
      left_out_.insert(name);
      return;
    }
    config::Member& member = *frame_.add_members();
    member.set_name(name);
    member.set_section(section);
    member.set_from("n" + from);
    member.set_to("n" + to);
  }

  void add_members() {
    each_joint(1, [&](std::size_t storey, std::size_t x, std::size_t y) {
      const std::string here = suffix(storey, x, y);
      add_member("c" + here, regular_.column(), suffix(storey - 1, x, y), here);
      if (x + 1 < x_.size())
        add_member((spatial() ? "bx" : "b") + here, regular_.beam(), here,
                   suffix(storey, x + 1, y));
      if (y + 1 < y_.size())
        add_member("by" + here, regular_.beam(), here, suffix(storey, x, y + 1));
    });
  }

  void add_masses() {
    const auto joints = static_cast<double>(x_.size() * y_.size());
    const bool floors = spatial() && regular_.floor_mass() > 0.0;
    const double mass = floors
                            ? 0.0
                            : (regular_.floor_mass() > 0.0 ? regular_.floor_mass() / joints
                                                           : regular_.joint_mass());
    if (mass > 0.0 || regular_.joint_inertia() > 0.0)
      each_joint(1, [&](std::size_t storey, std::size_t x, std::size_t y) {
        config::NodalMass& joint = *frame_.add_masses();
        joint.set_node("n" + suffix(storey, x, y));
        joint.set_mass(mass);
        joint.set_rotational_inertia(regular_.joint_inertia());
      });
    if (!spatial()) return;
    for (std::size_t storey = 1; storey < z_.size(); ++storey) {
      config::FloorDiaphragm& diaphragm = *frame_.add_diaphragms();
      diaphragm.set_name("d" + std::to_string(storey));
      if (floors) diaphragm.set_mass(regular_.floor_mass());
      diaphragm.set_rotational_inertia(regular_.floor_inertia());
      for (std::size_t y = 0; y < y_.size(); ++y)
        for (std::size_t x = 0; x < x_.size(); ++x)
          diaphragm.add_nodes("n" + suffix(storey, x, y));
    }
  }

  const config::RegularFrame& regular_;
  std::string path_;
  config::Frame frame_;
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> z_;
  std::set<std::string> without_;
  std::set<std::string> left_out_;
  std::vector<std::string> names_;
  SettingErrorCollector problems_;
};

}  // namespace

config::Frame with_regular_part(const config::Frame& frame, const std::string& path) {
  return frame.has_regular() ? RegularPart(frame, path).build() : frame;
}

}  // namespace trestle::composition
