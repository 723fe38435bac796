#pragma once

#include <boost/asio/ssl/context.hpp>

#include "observe/web/tls_files.h"

namespace trestle::web {

/// TLS 1.2 and 1.3 with this certificate.
/// @throws std::runtime_error with one sentence: the file, what is wrong, what to do
boost::asio::ssl::context tls_context(const TlsFiles& files);

}  // namespace trestle::web
