#pragma once

#include <optional>

#include "core/types/interlock.h"
#include "site-servers/node/rig_service.h"
#include "site-servers/node/site_parts.h"

namespace trestle::site_node {

/// Tells the equipment what the site does, by the digital outputs that its file maps.
class EquipmentSignals {
 public:
  EquipmentSignals(const SiteParts& site, const RigService& service)
      : site_(site), service_(service) {}

  /// In each tick of the node, before it drives and afterwards: tells what has changed.
  void update();

 private:
  SiteParts site_;
  const RigService& service_;
  std::optional<SiteSignals> told_;  // last
};

}  // namespace trestle::site_node
