#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "composition/numerical/name_places.h"
#include "core/base/setting_error_collector.h"
#include "numerical/structure/frame_model.h"

namespace trestle::config {
class FibreShape;
class Frame;
class Section;
}  // namespace trestle::config

namespace trestle::composition {

/// The uniaxial materials of a frame, and the sections that are made of them.
class FibreReader {
 public:
  /// Reads the materials.
  /// @param spatial   the frame is
  /// @param path      of the frame in the configuration, for errors
  /// @param problems  where errors go, here and later
  FibreReader(const config::Frame& frame, bool spatial, const std::string& path,
              SettingErrorCollector& problems);

  /// A section of fibres, with its stiffness at rest.
  /// @param path  of the section
  structure::FrameSection section(const config::Section& section, const std::string& path);

  /// Tells which materials no section uses.
  void refuse_unused(const std::string& path);

 private:
  int material(const std::string& name, const std::string& path);
  /// Of a spatial section.
  void refuse_line(const structure::FibreSection& section,
                   const structure::FrameSection& made, const std::string& path);
  void refuse_in_plane(bool given, const std::string& path);
  /// Fibres of a shape along z.
  int columns(bool given, std::uint32_t count) const noexcept;
  void add_shape(const config::FibreShape& shape, const std::string& path,
                 structure::FibreSection& section);

  SettingErrorCollector& problems_;
  bool spatial_;
  NamePlaces names_{"material"};
  std::vector<structure::FibreSection::MakeLaw> laws_;
  std::vector<double> moduli_;  // at rest
  std::vector<bool> used_;
};

/// What fibre members need of a frame that has been read: own rotations at hinged ends,
/// `points` of such members alone.
/// @param path  of the frame
void prepare_fibre_members(const config::Frame& frame, structure::FrameModel& model,
                           const std::string& path, SettingErrorCollector& problems);

}  // namespace trestle::composition
