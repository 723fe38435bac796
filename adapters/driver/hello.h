#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/file_descriptor.h"

namespace trestle::driver {

/// What a site wants of a driver, over their Unix socket.
struct Hello {
  std::string file;      ///< the plug-in
  std::string stamp;     ///< of that file: another after it was built again
  std::string settings;  ///< lines `path: value`

  bool operator==(const Hello&) const = default;
};

enum class Welcome : std::uint32_t {
  kOpen,          ///< the rig is open; the page comes with this reply
  kNotLoaded,     ///< the plug-in cannot be loaded
  kRefused,       ///< the plug-in refuses to open
  kBusy,          ///< another site drives the rig
  kHangs,         ///< the driver has not come back from a function of the plug-in
  kWantsAnother,  ///< the driver has another plug-in or other settings; it ends
};

struct Reply {
  Welcome welcome = Welcome::kNotLoaded;
  std::string words;
  FileDescriptor page;  ///< with kOpen
};

/// Stands for the contents of a file: changes when the file is written again.
std::string stamp_of(const std::string& file);

/// Messages of a SOCK_SEQPACKET socket. @returns false: the other end is gone, or the
/// message is too long
bool send_hello(int socket, const Hello& hello);
bool send_reply(int socket, Welcome welcome, const std::string& words, int page);
/// Waits for at most `patience_ms`. @returns nothing: no valid message came
std::optional<Hello> receive_hello(int socket, int patience_ms);
std::optional<Reply> receive_reply(int socket, int patience_ms);

/// Whether the other end is gone. Does not block.
bool is_closed(int socket) noexcept;

/// Returns the process at the other end of a Unix socket if it has this user, or is root;
/// otherwise 0.
pid_t trusted_peer(int socket);

/// Opens the driver's socket in a folder, whatever the length of its path.
/// @returns nothing: no driver listens there, or none can
FileDescriptor call_driver(const std::string& folder);
/// @throws std::runtime_error
FileDescriptor listen_for_sites(const std::string& folder);

}  // namespace trestle::driver
