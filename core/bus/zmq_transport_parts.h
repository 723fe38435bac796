#pragma once

#include "core/bus/zmq_socket.h"
#include "core/bus/zmq_transport.h"

namespace trestle {

/// The ZeroMQ types that only the sources of ZmqTransport use.

/// One message off a socket.
struct ZmqTransport::PendingMessage {
  bool there = false;
  bool several_frames = false;
  int peer = 0;
  const AllowedPeer* observer = nullptr;  // its sender, where that is one
  ZmqFrame sender;
  ZmqFrame content;
};

/// One socket: of all peers that connect to it, or of the one peer that it calls.
struct ZmqTransport::Connection {
  ZmqSocket socket;
  int peer;      // -1: several
  bool names;    // a ROUTER: each message begins with its sender's id
  bool listens;  // by key: each message carries the name of its sender's key
};

}  // namespace trestle
