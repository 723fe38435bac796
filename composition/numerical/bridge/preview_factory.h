#pragma once

#include <vector>

#include "numerical/bridge/bridge_substructure.h"
#include "numerical/bridge/command_preview.h"

namespace trestle::config {
class Test;
}  // namespace trestle::config

namespace trestle::composition {

/// The feed-forward of every physical wheel; nothing without a preview, or on a smooth
/// track.
/// @param transfers  of the sites' DOFs one after another, if the preview names none
/// @throws SettingError if no transfer function is known, or the band is too wide
std::vector<bridge::PreviewCommand> make_preview(
    const config::Test& test, const bridge::BridgeParts& parts,
    const std::vector<bridge::TransferResponse>& transfers);

}  // namespace trestle::composition
