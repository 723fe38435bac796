#include "observe/report/structure_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <vector>

#include "observe/geometry/geometry_reader.h"
#include "observe/geometry/structure_motion.h"
#include "observe/plot/axis.h"
#include "observe/plot/number_format.h"
#include "observe/plot/svg_writer.h"

namespace trestle::report {
namespace {

constexpr double kDrawingWidth = 760.0;
constexpr double kDrawingHeight = 300.0;
constexpr double kDrawingMargin = 60.0;
constexpr double kDrawingBelow = 16.0;
constexpr double kShownPart = 0.06;  // of the structure's size: the largest displacement
constexpr int kPiecesOfMember = 16;
constexpr std::size_t kMostMembers = 400;
constexpr std::size_t kMostNamed = 40;
constexpr double kSpatialHeight = 420.0;
constexpr double kDepth = 0.5;  // of a length that leads into the picture
constexpr double kSlope = std::numbers::pi / 6.0;

const plot::SeriesStyle kAtRest{.colour = "#9aa4af", .dashes = "4 3", .width = 1.2};
const plot::SeriesStyle kDisplaced{.colour = "#1b1f24", .dashes = {}, .width = 2.4};
const plot::SeriesStyle kSpecimen{.colour = "#0072B2", .dashes = {}, .width = 5.0};
const plot::SeriesStyle kGround{.colour = "#57606a", .dashes = {}, .width = 1.4};

/// A node of the frame as it is displaced.
struct FrameNode {
  geometry::Place at{};
  geometry::NodeMotion moved{};
  bool told = false;  ///< its motion is recorded
};

struct FrameGeometry {
  geometry::StructureGeometry stated;
  std::map<std::string, FrameNode> nodes;
  std::size_t unrecorded = 0;  ///< nodes that are drawn at rest
};

/// The step at which a node of the frame moved farthest; its displacements are taken over.
/// @returns the largest displacement [m]
double take_displacements(FrameGeometry& frame, const RunData& run, double& time) {
  const geometry::StructureMotion motion(frame.stated, [&run](const std::string& channel) {
    return run.result.find(channel) != nullptr;
  });
  std::set<std::string> channels;
  for (const auto& [name, node] : motion.nodes()) {
    const bool told = !node.dofs[0].empty() || frame.stated.spatial;
    frame.nodes[name] = {.at = node.at, .told = told};
    frame.unrecorded += node.recorded ? 0U : 1U;
    for (std::size_t dof = 0; dof < 3; ++dof)
      for (const auto& [channel, factor] : node.dofs[dof])
        if (channel.ends_with("_m")) channels.insert(channel);
  }
  double largest = 0.0;
  std::size_t at = 0;
  for (const std::string& channel : channels) {
    const std::vector<double>& column = *run.result.find(channel);
    for (std::size_t k = 0; k < column.size(); ++k)
      if (std::abs(column[k]) > largest) largest = std::abs(column[k]), at = k;
  }
  if (largest == 0.0) return 0.0;
  time = run.time()[at];
  const auto value = [&run, at](const std::string& name) {
    const std::vector<double>* column = run.result.find(name);
    return column == nullptr || !std::isfinite((*column)[at]) ? 0.0 : (*column)[at];
  };
  for (const auto& [name, node] : motion.nodes()) {
    frame.nodes[name].moved = node.moved(value);
    for (std::size_t dof = 0; dof < 3; ++dof)
      largest = std::max(largest, std::abs(frame.nodes[name].moved[dof]));
  }
  return largest;
}

/// A place below another one: "down" is -z in space, -y in a plane.
geometry::Place below(geometry::Place at, double height, bool spatial) {
  at[spatial ? 2 : 1] -= height;
  return at;
}

/// From metres to the picture: a planar frame from the front, a spatial one obliquely, with
/// x to the right, z up and y into the picture.
class DrawingScale {
 public:
  explicit DrawingScale(const FrameGeometry& frame)
      : spatial_(frame.stated.spatial),
        height_(spatial_ ? kSpatialHeight : kDrawingHeight) {
    double left = 1e300, right = -1e300, top = -1e300;
    bottom_ = 1e300;
    const auto include = [&](const geometry::Place& at) {
      const plot::PlotPoint seen = this->seen(at);
      left = std::min(left, seen.x), right = std::max(right, seen.x);
      bottom_ = std::min(bottom_, seen.y), top = std::max(top, seen.y);
    };
    for (const auto& [name, node] : frame.nodes) include(node.at);
    for (const geometry::GeometrySpecimen& one : frame.stated.specimens)
      if (const auto node = frame.nodes.find(one.node); node != frame.nodes.end())
        include(below(node->second.at, one.height, spatial_));
    size_ = std::max({right - left, top - bottom_, 1e-6});
    pixels_ = std::min(
        (kDrawingWidth - 2.0 * kDrawingMargin) / std::max(right - left, 1e-6),
        (height_ - kDrawingMargin - kDrawingBelow) / std::max(top - bottom_, 1e-6));
    left_ = 0.5 * kDrawingWidth - 0.5 * (left + right) * pixels_;
  }

  plot::PlotPoint place(const geometry::Place& at) const {
    const plot::PlotPoint point = seen(at);
    return {left_ + point.x * pixels_,
            height_ - kDrawingBelow - (point.y - bottom_) * pixels_};
  }
  plot::PlotPoint place(const FrameNode& node, double enlarged) const {
    geometry::Place at = node.at;
    for (std::size_t i = 0; i < at.size(); ++i) at[i] += enlarged * node.moved[i];
    return place(at);
  }
  bool is_spatial() const { return spatial_; }
  double height() const { return height_; }
  double size() const { return size_; }

 private:
  plot::PlotPoint seen(const geometry::Place& at) const {
    if (!spatial_) return {at[0], at[1]};
    return {at[0] + kDepth * std::cos(kSlope) * at[1],
            at[2] + kDepth * std::sin(kSlope) * at[1]};
  }

  bool spatial_;
  double height_;
  double pixels_ = 1.0;
  double left_ = 0.0;
  double bottom_ = 0.0;
  double size_ = 1.0;
};

geometry::Place cross(const geometry::Place& a, const geometry::Place& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// A beam between two nodes as its nodes move it: cubic across, linear along.
std::string beam_path(const FrameNode& a, const FrameNode& b, double enlarged,
                      const DrawingScale& scale) {
  geometry::Place along{};
  for (std::size_t k = 0; k < 3; ++k) along[k] = b.at[k] - a.at[k];
  const double length = std::hypot(along[0], along[1], along[2]);
  std::string data;
  if (length <= 0.0) return data;
  for (double& part : along) part /= length;
  const auto slope = [&along](const FrameNode& node) {
    return cross({node.moved[3], node.moved[4], node.moved[5]}, along);
  };
  const geometry::Place slope_a = slope(a);
  const geometry::Place slope_b = slope(b);
  double first = 0.0;
  double last = 0.0;
  for (std::size_t k = 0; k < 3; ++k)
    first += along[k] * a.moved[k], last += along[k] * b.moved[k];
  for (int i = 0; i <= kPiecesOfMember; ++i) {
    const double t = static_cast<double>(i) / kPiecesOfMember;
    const double h10 = t * (1.0 - t) * (1.0 - t) * length;
    const double h11 = t * t * (t - 1.0) * length;
    const double h01 = t * t * (3.0 - 2.0 * t);
    // Along the member its displacement is linear, not cubic.
    const double straight = (t - h01) * (last - first);
    geometry::Place at = a.at;
    for (std::size_t k = 0; k < 3; ++k) {
      const double moved = a.moved[k] + h01 * (b.moved[k] - a.moved[k]) + h10 * slope_a[k] +
                           h11 * slope_b[k] + straight * along[k];
      at[k] += t * length * along[k] + enlarged * moved;
    }
    const plot::PlotPoint point = scale.place(at);
    data += i == 0 ? 'M' : 'L';
    plot::append_coordinate(data, point.x);
    data += ' ';
    plot::append_coordinate(data, point.y);
  }
  return data;
}

struct LineOfMembers {
  const plot::SeriesStyle& style;
  double enlarged;  ///< displacements; 0: at rest
};

void draw_members(plot::SvgWriter& svg, const FrameGeometry& frame,
                  const std::vector<geometry::GeometryMember>& members,
                  const LineOfMembers& stroke, const DrawingScale& scale) {
  for (const geometry::GeometryMember& member : members) {
    const auto from = frame.nodes.find(member.from);
    const auto to = frame.nodes.find(member.to);
    if (from != frame.nodes.end() && to != frame.nodes.end())
      svg.path(beam_path(from->second, to->second, stroke.enlarged, scale), stroke.style);
  }
}

void draw_specimens(plot::SvgWriter& svg, const FrameGeometry& frame, double enlarged,
                    const DrawingScale& scale) {
  std::string named;  // site that has its name already
  for (const geometry::GeometrySpecimen& one : frame.stated.specimens) {
    const auto met = frame.nodes.find(one.node);
    if (met == frame.nodes.end()) continue;
    const FrameNode& top = met->second;
    draw_members(svg, frame, one.members, {kSpecimen, enlarged}, scale);
    plot::PlotPoint name = scale.place(top.at);
    if (!one.members.empty()) {
      const auto from = frame.nodes.find(one.members.front().from);
      const auto to = frame.nodes.find(one.members.front().to);
      if (from != frame.nodes.end() && to != frame.nodes.end()) {
        const plot::PlotPoint a = scale.place(from->second.at);
        const plot::PlotPoint b = scale.place(to->second.at);
        name = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
      }
    } else if (one.height > 0.0) {
      const FrameNode base{.at = below(top.at, one.height, scale.is_spatial())};
      svg.path(beam_path(base, top, enlarged, scale), kSpecimen);
      const plot::PlotPoint foot = scale.place(base.at);
      svg.line({foot.x - 22.0, foot.y}, {foot.x + 22.0, foot.y}, kGround);
      name = scale.place(below(top.at, 0.5 * one.height, scale.is_spatial()));
    }
    if (scale.is_spatial() && named == one.site) continue;
    named = one.site;
    svg.text({name.x + 14.0, name.y + 16.0}, one.site, {.bold = true});
  }
}

/// Of a planar frame each node; of a spatial one those where a site takes over: the others
/// would lie over each other.
bool is_named(const FrameGeometry& frame, const std::string& name) {
  if (!frame.stated.spatial) return frame.nodes.size() <= kMostNamed;
  return std::any_of(
      frame.stated.specimens.begin(), frame.stated.specimens.end(),
      [&](const geometry::GeometrySpecimen& one) { return one.node == name; });
}

std::string motion_words(const FrameNode& node, bool spatial) {
  if (!spatial) return plot::format_quantity(node.moved[0], "m");
  constexpr std::array<const char*, 3> kNames{"x ", "y ", "z "};
  std::string words;
  for (std::size_t k = 0; k < 3; ++k) {
    if (node.moved[k] == 0.0) continue;
    if (!words.empty()) words += ", ";
    words += kNames[k] + plot::format_quantity(node.moved[k], "m");
  }
  return words;
}

void draw_nodes(plot::SvgWriter& svg, const FrameGeometry& frame, double enlarged,
                const DrawingScale& scale) {
  for (const auto& [name, node] : frame.nodes) {
    const plot::PlotPoint place = scale.place(node, enlarged);
    svg.marker(place, {.colour = plot::plot_colour::kText}, scale.is_spatial() ? 2.5 : 3.5);
    if (!is_named(frame, name)) continue;
    const std::string words = motion_words(node, scale.is_spatial());
    svg.text({place.x + 8.0, place.y - 8.0},
             node.told && !words.empty() ? name + "  " + words : name);
  }
}

std::string enlargement_words(double enlarged) {
  return enlarged < 1000.0 ? plot::format_significant(enlarged, 3)
                           : plot::format_count(std::llround(enlarged));
}

}  // namespace

std::string structure_drawing(const std::string& effective, const RunData& run) {
  FrameGeometry frame{.stated = geometry::read_geometry(effective), .nodes = {}};
  const geometry::StructureGeometry& stated = frame.stated;
  if (!stated.missing.empty() || stated.schematic || !stated.girders.empty() ||
      stated.members.size() > kMostMembers)
    return {};
  double time = 0.0;
  const double largest = take_displacements(frame, run, time);
  const DrawingScale scale(frame);
  const double enlarged =
      largest > 0.0 ? 0.5 * plot::round_step(2.0 * kShownPart * scale.size() / largest)
                    : 0.0;
  plot::SvgWriter svg(kDrawingWidth, scale.height(),
                      "Frame of the test at rest and displaced");
  svg.text({4.0, 13.0}, "Structure", {.bold = true, .size = 12.0});
  const plot::TextStyle remark{.anchor = plot::TextStyle::Anchor::kEnd, .muted = true};
  if (largest > 0.0)
    svg.text({kDrawingWidth - 14.0, 13.0},
             "dark: at " + plot::format_fixed(time, 2) + " s, displacements \u00d7 " +
                 enlargement_words(enlarged) + "; pale: at rest; blue: specimens",
             remark);
  if (stated.spatial) {
    std::string words = "seen obliquely: x to the right, z up, y into the picture";
    if (frame.unrecorded > 0)
      words += "; " + std::to_string(frame.unrecorded) +
               " nodes are not recorded and drawn at rest";
    svg.text({kDrawingWidth - 14.0, 28.0}, words, remark);
  }
  draw_members(svg, frame, stated.members, {kAtRest, 0.0}, scale);
  draw_specimens(svg, frame, enlarged, scale);
  draw_members(svg, frame, stated.members, {kDisplaced, enlarged}, scale);
  draw_nodes(svg, frame, enlarged, scale);
  return svg.finish();
}

}  // namespace trestle::report
