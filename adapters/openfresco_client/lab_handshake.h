#pragma once

#include "adapters/openfresco_client/lab_connection.h"
#include "adapters/openfresco_client/lab_settings.h"

namespace trestle::openfresco {

/// Opens a connection to the server and agrees with it on the session, as its kind wants
/// it. Waits, at most as long as the settings allow for each reply.
/// @throws std::runtime_error  if the server cannot be reached or is not the one of the
///         settings; the connection is then closed
void open_session(const LabSettings& settings, LabConnection& connection);

}  // namespace trestle::openfresco
