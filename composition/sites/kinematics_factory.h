#pragma once

#include <memory>
#include <string>

#include "core/ports/loading_frame.h"

namespace trestle::config {
class LoadingFrame;
}  // namespace trestle::config

namespace trestle::composition {

/// A message without a kind gives the schema's default, the identity.
/// @param controlled_dofs  of the site
/// @param path             of the loading frame in the configuration
/// @throws SettingError with the path of the field below it
std::unique_ptr<const LoadingFrame> make_loading_frame(const config::LoadingFrame& message,
                                                       int controlled_dofs,
                                                       const std::string& path);

}  // namespace trestle::composition
