#pragma once

#include <string>
#include <vector>

#include "composition/numerical/name_places.h"
#include "core/base/setting_error_collector.h"
#include "numerical/structure/frame_model.h"

namespace trestle::config {
class Frame;
}

namespace trestle::composition {

/// Reads the sections of a frame, those of fibres with their materials.
/// @param model  whose kind (planar or spatial) and mass matrix are known
/// @param path   of the frame in the configuration, for errors
/// @param names  to be filled
std::vector<structure::FrameSection> read_frame_sections(const config::Frame& frame,
                                                         const structure::FrameModel& model,
                                                         const std::string& path,
                                                         NamePlaces& names,
                                                         SettingErrorCollector& problems);

}  // namespace trestle::composition
