#include "observe/geometry/regular_geometry.h"

#include <algorithm>
#include <cstddef>
#include <set>

#include "core/base/number_text.h"

namespace trestle::geometry {
namespace {

using yaml::YamlNode;

// A frame of more nodes is not drawn, and need not be made.
constexpr std::size_t kMostJoints = 20'000;

double stated(const YamlNode* node) {
  return node == nullptr ? 0.0 : parse_number(node->text).value_or(0.0);
}

/// Coordinates of the lines of a row, from 0.
std::vector<double> lines_of(const YamlNode* row, const char* size) {
  std::vector<double> at{0.0};
  if (row == nullptr) return at;
  const YamlNode* const sizes = row->items.empty() ? row->find("sizes") : row;
  if (sizes != nullptr)
    for (const YamlNode& each : sizes->items) at.push_back(at.back() + stated(&each));
  const double count = std::min(stated(row->find("count")), double{kMostJoints});
  for (double i = 1.0; i <= count; i += 1.0) at.push_back(i * stated(row->find(size)));
  return at;
}

class RegularGeometry {
 public:
  RegularGeometry(const YamlNode& regular, StructureGeometry& into)
      : into_(into),
        x_(lines_of(regular.find("bays"), "width")),
        y_(lines_of(regular.find("depth"), "width")),
        z_(lines_of(regular.find("storeys"), "height")),
        spatial_(regular.find("depth") != nullptr) {
    if (const YamlNode* const without = regular.find("without"))
      for (const YamlNode& name : without->items) without_.insert(name.text);
    const YamlNode* const base = regular.find("base");
    fixed_ = {"all"};
    if (base != nullptr && base->text == "pinned") {
      fixed_ = {"x", "y"};
      if (spatial_) fixed_.push_back("z");
    }
  }

  void add() {
    if (x_.size() * y_.size() * z_.size() > kMostJoints) {
      into_.missing = "the frame has too many members";
      return;
    }
    into_.spatial = into_.spatial || spatial_;
    each_joint(0, [this](std::size_t storey, std::size_t x, std::size_t y) {
      const std::string name = "n" + suffix(storey, x, y);
      into_.nodes.push_back({name, spatial_ ? Place{x_[x], y_[y], z_[storey]}
                                            : Place{x_[x], z_[storey], 0.0}});
      if (storey == 0) into_.supports.push_back({name, fixed_});
    });
    each_joint(1, [this](std::size_t storey, std::size_t x, std::size_t y) {
      const std::string here = suffix(storey, x, y);
      add_member("c" + here, suffix(storey - 1, x, y), here);
      if (x + 1 < x_.size())
        add_member((spatial_ ? "bx" : "b") + here, here, suffix(storey, x + 1, y));
      if (y + 1 < y_.size()) add_member("by" + here, here, suffix(storey, x, y + 1));
    });
    if (spatial_) add_diaphragms();
  }

 private:
  std::string suffix(std::size_t storey, std::size_t x, std::size_t y) const {
    const std::string own = std::to_string(storey) + "." + std::to_string(x);
    return spatial_ ? own + "." + std::to_string(y) : own;
  }

  template <typename Visit>
  void each_joint(std::size_t from_storey, Visit visit) {
    for (std::size_t storey = from_storey; storey < z_.size(); ++storey)
      for (std::size_t y = 0; y < y_.size(); ++y)
        for (std::size_t x = 0; x < x_.size(); ++x) visit(storey, x, y);
  }

  void add_member(const std::string& name, const std::string& from, const std::string& to) {
    if (!without_.contains(name)) into_.members.push_back({"n" + from, "n" + to});
  }

  void add_diaphragms() {
    for (std::size_t storey = 1; storey < z_.size(); ++storey) {
      RigidGroup floor{.master = "d" + std::to_string(storey),
                       .at = {0.0, 0.0, z_[storey]},
                       .nodes = {},
                       .only_in_plane = true};
      for (std::size_t y = 0; y < y_.size(); ++y)
        for (std::size_t x = 0; x < x_.size(); ++x) {
          floor.nodes.push_back("n" + suffix(storey, x, y));
          floor.at[0] += x_[x];
          floor.at[1] += y_[y];
        }
      const auto nodes = static_cast<double>(floor.nodes.size());
      floor.at[0] /= nodes;
      floor.at[1] /= nodes;
      into_.rigid.push_back(std::move(floor));
    }
  }

  StructureGeometry& into_;
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> z_;
  bool spatial_;
  std::set<std::string> without_;
  std::vector<std::string> fixed_;
};

}  // namespace

void add_regular_part(const YamlNode& regular, StructureGeometry& into) {
  RegularGeometry(regular, into).add();
}

}  // namespace trestle::geometry
