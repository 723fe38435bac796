#include "observe/report/structure_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "observe/geometry/geometry_reader.h"
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

const plot::SeriesStyle kAtRest{.colour = "#9aa4af", .dashes = "4 3", .width = 1.2};
const plot::SeriesStyle kDisplaced{.colour = "#1b1f24", .dashes = {}, .width = 2.4};
const plot::SeriesStyle kSpecimen{.colour = "#0072B2", .dashes = {}, .width = 5.0};
const plot::SeriesStyle kGround{.colour = "#57606a", .dashes = {}, .width = 1.4};

/// A node of the frame [m, rad].
struct FrameNode {
  plot::PlotPoint at;
  double ux = 0.0;
  double uy = 0.0;
  double rz = 0.0;
};

struct FrameMember {
  std::string from;
  std::string to;
};

/// Drawn as a column down to its base.
struct FrameSpecimen {
  std::string site;
  std::string node;
  double height = 0.0;  ///< [m]; 0: no column
};

struct FrameGeometry {
  std::map<std::string, FrameNode> nodes;
  std::vector<FrameMember> members;
  std::vector<FrameSpecimen> specimens;
};

FrameGeometry geometry_of(const std::string& effective) {
  FrameGeometry drawn;
  const geometry::StructureGeometry stated = geometry::read_geometry(effective);
  // A spatial frame cannot be seen in one view.
  if (!stated.missing.empty() || stated.spatial || stated.schematic) return drawn;
  for (const geometry::GeometryNode& node : stated.nodes)
    drawn.nodes[node.name] = {.at = {node.at[0], node.at[1]}};
  for (const geometry::GeometryMember& member : stated.members)
    drawn.members.push_back({member.from, member.to});
  for (const geometry::GeometrySpecimen& one : stated.specimens)
    if (drawn.nodes.contains(one.node))
      drawn.specimens.push_back({one.site, one.node, one.height});
  return drawn;
}

/// The step at which a node of the frame moved farthest; its displacements are taken over.
/// @returns the largest displacement [m]
double take_displacements(FrameGeometry& geometry, const RunData& run, double& time) {
  double largest = 0.0;
  std::size_t at = 0;
  for (const auto& [name, node] : geometry.nodes)
    for (const char* dof : {".x.disp_m", ".y.disp_m"}) {
      const std::vector<double>* column = run.result.find(name + dof);
      for (std::size_t k = 0; column != nullptr && k < column->size(); ++k)
        if (std::abs((*column)[k]) > largest) largest = std::abs((*column)[k]), at = k;
    }
  if (largest == 0.0) return 0.0;
  time = run.time()[at];
  const auto value = [&run, at](const std::string& name) {
    const std::vector<double>* column = run.result.find(name);
    return column == nullptr || !std::isfinite((*column)[at]) ? 0.0 : (*column)[at];
  };
  for (auto& [name, node] : geometry.nodes) {
    node.ux = value(name + ".x.disp_m");
    node.uy = value(name + ".y.disp_m");
    node.rz = value(name + ".rz.disp_rad");
  }
  return largest;
}

/// From metres to the picture.
class DrawingScale {
 public:
  explicit DrawingScale(const FrameGeometry& geometry) {
    double left = 1e300, right = -1e300, top = -1e300;
    bottom_ = 1e300;
    const auto include = [&](double x, double y) {
      left = std::min(left, x), right = std::max(right, x);
      bottom_ = std::min(bottom_, y), top = std::max(top, y);
    };
    for (const auto& [name, node] : geometry.nodes) include(node.at.x, node.at.y);
    for (const FrameSpecimen& specimen : geometry.specimens) {
      const plot::PlotPoint& node = geometry.nodes.at(specimen.node).at;
      include(node.x, node.y - specimen.height);
    }
    size_ = std::max({right - left, top - bottom_, 1e-6});
    pixels_ = std::min(
        (kDrawingWidth - 2.0 * kDrawingMargin) / std::max(right - left, 1e-6),
        (kDrawingHeight - kDrawingMargin - kDrawingBelow) / std::max(top - bottom_, 1e-6));
    left_ = 0.5 * kDrawingWidth - 0.5 * (left + right) * pixels_;
  }

  plot::PlotPoint place(double x, double y) const {
    return {left_ + x * pixels_, kDrawingHeight - kDrawingBelow - (y - bottom_) * pixels_};
  }
  double size() const { return size_; }

 private:
  double pixels_ = 1.0;
  double left_ = 0.0;
  double bottom_ = 0.0;
  double size_ = 1.0;
};

/// A beam between two nodes as its nodes move it: cubic across, linear along.
std::string beam_path(const FrameNode& a, const FrameNode& b, double enlarged,
                      const DrawingScale& scale) {
  const double dx = b.at.x - a.at.x;
  const double dy = b.at.y - a.at.y;
  const double length = std::hypot(dx, dy);
  std::string data;
  if (length <= 0.0) return data;
  const double c = dx / length;
  const double s = dy / length;
  const std::array<double, 2> along{c * a.ux + s * a.uy, c * b.ux + s * b.uy};
  const std::array<double, 2> across{c * a.uy - s * a.ux, c * b.uy - s * b.ux};
  for (int i = 0; i <= kPiecesOfMember; ++i) {
    const double t = static_cast<double>(i) / kPiecesOfMember;
    const double h10 = t * (1.0 - t) * (1.0 - t) * length;
    const double h11 = t * t * (t - 1.0) * length;
    const double h01 = t * t * (3.0 - 2.0 * t);
    const double u = along[0] + t * (along[1] - along[0]);
    const double v = across[0] + h01 * (across[1] - across[0]) + h10 * a.rz + h11 * b.rz;
    const plot::PlotPoint point = scale.place(a.at.x + t * dx + enlarged * (c * u - s * v),
                                              a.at.y + t * dy + enlarged * (s * u + c * v));
    data += i == 0 ? 'M' : 'L';
    plot::append_coordinate(data, point.x);
    data += ' ';
    plot::append_coordinate(data, point.y);
  }
  return data;
}

void draw_specimens(plot::SvgWriter& svg, const FrameGeometry& geometry, double enlarged,
                    const DrawingScale& scale) {
  for (const FrameSpecimen& specimen : geometry.specimens) {
    const FrameNode& top = geometry.nodes.at(specimen.node);
    const FrameNode base{.at = {top.at.x, top.at.y - specimen.height}};
    plot::PlotPoint name = scale.place(top.at.x, top.at.y);
    if (specimen.height > 0.0) {
      svg.path(beam_path(base, top, enlarged, scale), kSpecimen);
      const plot::PlotPoint foot = scale.place(base.at.x, base.at.y);
      svg.line({foot.x - 22.0, foot.y}, {foot.x + 22.0, foot.y}, kGround);
      name = scale.place(top.at.x, top.at.y - 0.5 * specimen.height);
    }
    svg.text({name.x + 14.0, name.y + 16.0}, specimen.site, {.bold = true});
  }
}

std::string enlargement_words(double enlarged) {
  return enlarged < 1000.0 ? plot::format_significant(enlarged, 3)
                           : plot::format_count(std::llround(enlarged));
}

}  // namespace

std::string structure_drawing(const std::string& effective, const RunData& run) {
  FrameGeometry geometry = geometry_of(effective);
  if (geometry.members.empty() || geometry.members.size() > kMostMembers) return {};
  double time = 0.0;
  const double largest = take_displacements(geometry, run, time);
  const DrawingScale scale(geometry);
  const double enlarged =
      largest > 0.0 ? 0.5 * plot::round_step(2.0 * kShownPart * scale.size() / largest)
                    : 0.0;
  plot::SvgWriter svg(kDrawingWidth, kDrawingHeight,
                      "Frame of the test at rest and displaced");
  svg.text({4.0, 13.0}, "Structure", {.bold = true, .size = 12.0});
  if (largest > 0.0)
    svg.text({kDrawingWidth - 14.0, 13.0},
             "dark: at " + plot::format_fixed(time, 2) + " s, displacements \u00d7 " +
                 enlargement_words(enlarged) + "; pale: at rest; blue: specimens",
             {.anchor = plot::TextStyle::Anchor::kEnd, .muted = true});
  for (const FrameMember& member : geometry.members)
    svg.path(
        beam_path(geometry.nodes.at(member.from), geometry.nodes.at(member.to), 0.0, scale),
        kAtRest);
  draw_specimens(svg, geometry, enlarged, scale);
  for (const FrameMember& member : geometry.members)
    svg.path(beam_path(geometry.nodes.at(member.from), geometry.nodes.at(member.to),
                       enlarged, scale),
             kDisplaced);
  for (const auto& [name, node] : geometry.nodes) {
    const plot::PlotPoint place =
        scale.place(node.at.x + enlarged * node.ux, node.at.y + enlarged * node.uy);
    svg.marker(place, {.colour = plot::plot_colour::kText}, 3.5);
    if (geometry.nodes.size() > 40) continue;
    const std::vector<double>* motion = run.result.find(name + ".x.disp_m");
    svg.text({place.x + 8.0, place.y - 8.0},
             motion == nullptr || motion->empty()
                 ? name
                 : name + "  " + plot::format_quantity(node.ux, "m"));
  }
  return svg.finish();
}

}  // namespace trestle::report
