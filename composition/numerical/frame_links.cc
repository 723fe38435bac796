#include "composition/numerical/frame_links.h"

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <utility>

#include "composition/numerical/mechanics_factory.h"
#include "core/base/setting_error.h"
#include "proto/config/numerical.pb.h"

namespace trestle::composition {
namespace {

using Links = google::protobuf::RepeatedPtrField<config::FrameLink>;

std::string entry(const std::string& path, const char* list, int index) {
  return path + "." + list + "[" + std::to_string(index) + "]";
}

class LinkReader {
 public:
  LinkReader(const NamePlaces& nodes, const std::string& path, structure::FrameModel& model,
             SettingErrorCollector& problems)
      : nodes_(nodes), path_(path), model_(model), problems_(problems) {}

  void read(const Links& links) {
    std::unordered_set<std::string> names;
    for (int i = 0; i < links.size(); ++i) {
      const config::FrameLink& given = links[i];
      const std::string here = entry(path_, "links", i);
      structure::FrameLink link{
          .name = given.name().empty() ? given.from() + "-" + given.to() : given.name(),
          .from = nodes_.find(given.from(), here + ".from", problems_),
          .to = nodes_.find(given.to(), here + ".to", problems_)};
      if (!given.name().empty() && given.name().find('.') != std::string::npos)
        problems_.add(here + ".name",
                      "a link's name must not hold a dot: `" + given.name() + "`");
      if (!names.insert(link.name).second)
        problems_.add(here, "two links are called `" + link.name + "`; give them names");
      if (given.from() == given.to())
        problems_.add(here, "a link from `" + given.from() + "` to itself does nothing");
      read_directions(given, here, link);
      read_link_law(given, here, link);
      if (link.from >= 0 && link.to >= 0) model_.links.push_back(std::move(link));
    }
  }

 private:
  void read_directions(const config::FrameLink& given, const std::string& here,
                       structure::FrameLink& link) {
    const bool along = given.axis() == config::LINK_AXIS_ALONG;
    if (along == !given.dofs().empty())
      problems_.add(here, along ? "both dofs and `axis: along` are given; give one of them"
                                : "says no direction; give dofs, or `axis: along`");
    for (int j = 0; j < given.dofs_size(); ++j) {
      const config::Dof dof = given.dofs(j);
      const std::string at = entry(here, "dofs", j);
      if (dof == config::DOF_ALL)
        problems_.add(at, "a law acts along one DOF after the other; name them");
      else if (!model_.spatial && dof > config::DOF_RZ)
        problems_.add(at, "z, rx and ry are of a spatial frame; this one is planar");
      else if (std::find(link.dofs.begin(), link.dofs.end(),
                         static_cast<structure::NodeDof>(dof)) != link.dofs.end())
        problems_.add(at, "stands twice in this list");
      else
        link.dofs.push_back(static_cast<structure::NodeDof>(dof));
    }
    if (!along || link.from < 0 || link.to < 0 || link.from == link.to) return;
    const structure::FrameNode& from = model_.nodes[structure::place(link.from)];
    const structure::FrameNode& to = model_.nodes[structure::place(link.to)];
    if (from.x == to.x && from.y == to.y && from.z == to.z)
      problems_.add(here + ".axis",
                    "`" + given.from() + "` and `" + given.to() +
                        "` are at one place: no line joins them; give dofs");
  }

  void read_link_law(const config::FrameLink& given, const std::string& here,
                     structure::FrameLink& link) {
    const config::RestoringForceLaw& law = given.law();
    link.paired = law.has_friction_pendulum() && link.dofs.size() == 2;
    const auto turns =
        std::count_if(link.dofs.begin(), link.dofs.end(), structure::is_rotation);
    const auto all = static_cast<std::ptrdiff_t>(link.dofs.size());
    if (law.has_friction_pendulum() && (all < 1 || all > 2 || turns > 0))
      problems_.add(here + ".dofs",
                    "a friction-pendulum slides along one translation, or along two at "
                    "once; name them, as [x, y]");
    else if (turns > 0 && turns < all)
      problems_.add(here + ".dofs",
                    "translations and rotations stand in one list, and one law has the "
                    "units of one kind; write a link for each");
    try {
      link.laws =
          make_link_laws(law, std::max<std::size_t>(link.dofs.size(), 1), here + ".law");
    } catch (const SettingError& error) {
      problems_.add_below("", error);
    }
    // What is linear belongs to the matrices.
    if (law.has_linear() && !link.laws.empty()) {
      link.stiffness = law.linear().stiffness();
      link.laws.clear();
    }
    if (law.has_viscous() && law.viscous().exponent() == 1.0 &&
        !law.viscous().has_stiffness() && !link.laws.empty()) {
      link.damping = law.viscous().coefficient();
      link.laws.clear();
    }
  }

  const NamePlaces& nodes_;
  const std::string& path_;
  structure::FrameModel& model_;
  SettingErrorCollector& problems_;
};

}  // namespace

void read_frame_links(const Links& links, const NamePlaces& nodes, const std::string& path,
                      structure::FrameModel& model, SettingErrorCollector& problems) {
  LinkReader(nodes, path, model, problems).read(links);
}

}  // namespace trestle::composition
