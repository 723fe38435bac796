#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trestle::web {

/// What the server of the page needs for TLS, as files in PEM.
struct TlsFiles {
  std::string certificate;  ///< and those that signed it, in this order; empty: no TLS
  std::string key;          ///< of the certificate; without a passphrase
};

/// What a certificate says.
struct CertificateFacts {
  std::vector<std::string> names;  ///< of hosts, without those that have a `*`
  std::string problem;             ///< expired, or soon; one sentence, empty: none
};

/// @param utc  now [s]
/// @throws std::runtime_error with one sentence if the file has no certificate
CertificateFacts read_certificate(const std::string& path, std::int64_t utc);

}  // namespace trestle::web
