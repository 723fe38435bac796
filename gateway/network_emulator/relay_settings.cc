#include "gateway/network_emulator/relay_settings.h"

namespace trestle::network_emulator {

std::string text(const HostPort& place) {
  const bool brackets = place.host.find(':') != std::string::npos;
  return (brackets ? "[" + place.host + "]" : place.host) + ":" +
         std::to_string(place.port);
}

}  // namespace trestle::network_emulator
