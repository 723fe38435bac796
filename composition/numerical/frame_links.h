#pragma once

#include <google/protobuf/repeated_ptr_field.h>

#include <string>

#include "composition/numerical/name_places.h"
#include "core/base/setting_error_collector.h"
#include "numerical/structure/frame_model.h"

namespace trestle::config {
class FrameLink;
}

namespace trestle::composition {

/// Reads the links of a frame into its model.
/// @param nodes  of the frame
/// @param path   of the frame in the configuration, for errors
void read_frame_links(const google::protobuf::RepeatedPtrField<config::FrameLink>& links,
                      const NamePlaces& nodes, const std::string& path,
                      structure::FrameModel& model, SettingErrorCollector& problems);

}  // namespace trestle::composition
