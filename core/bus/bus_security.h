#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/base/time.h"

namespace trestle::bus {

/// The rights of a peer at the node to which it connects.
enum class PeerRole {
  kParticipant,  ///< at a site: commands; at an integrator: the site of this name
  kObserver,     ///< asks, and fetches records
};

/// A peer that may connect to a listening node.
struct AllowedPeer {
  std::string name;
  std::string public_key;  ///< 40 characters of Z85
  PeerRole role = PeerRole::kParticipant;
};

/// How one end of the bus guards itself. With a key all its connections are CURVE; without
/// one they are plain, and stay on this machine.
struct BusSecurity {
  std::string secret_key = {};                   ///< 40 characters of Z85; empty: plain
  std::vector<AllowedPeer> peers = {};           ///< with a key, at an end that listens
  bool insecure = false;                         ///< plain beyond this machine
  Duration handshake = std::chrono::seconds(5);  ///< a peer that takes longer is cut off
  /// Handshakes with the same peer that end early for so long are a start, or a network
  /// that was cut; after that they are worth a warning.
  Duration start_up = std::chrono::seconds(3);
};

/// Something about a connection that a person should be able to read afterwards.
struct ConnectionEvent {
  bool warning = false;  ///< a person should check it: a peer or message was refused
  std::string text;      ///< one sentence
};

}  // namespace trestle::bus
