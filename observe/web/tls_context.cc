#include "observe/web/tls_context.h"

#include <sys/stat.h>

#include <stdexcept>
#include <string>

namespace trestle::web {
namespace {

namespace asio = boost::asio;
using Problem = boost::system::error_code;

[[noreturn]] void refuse(const std::string& option, const std::string& path,
                         const std::string& what) {
  throw std::runtime_error(option + " " + path + ": " + what);
}

/// Everybody's file is nobody's secret; a group of those who may use it is usual.
void check_that_it_is_secret(const std::string& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) refuse("--tls-key", path, "no such file");
  if ((facts.st_mode & 07U) != 0)
    refuse("--tls-key", path, "others may read it; do chmod o= " + path);
}

}  // namespace

asio::ssl::context tls_context(const TlsFiles& files) {
  asio::ssl::context context(asio::ssl::context::tls_server);
  context.set_options(asio::ssl::context::default_workarounds |
                      asio::ssl::context::no_sslv2 | asio::ssl::context::no_sslv3 |
                      asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1);
  Problem problem;
  check_that_it_is_secret(files.key);
  // OpenSSL would ask at the terminal.
  context.set_password_callback(
      [](std::size_t, asio::ssl::context::password_purpose) { return std::string(); },
      problem);
  context.use_private_key_file(files.key, asio::ssl::context::pem, problem);
  if (problem)
    refuse("--tls-key", files.key,
           "no key in PEM can be read from it, or it has a passphrase (" +
               problem.message() + ")");
  context.use_certificate_chain_file(files.certificate, problem);
  if (problem)
    refuse("--tls-cert", files.certificate,
           "no certificate in PEM can be read from it (" + problem.message() + ")");
  // A key of another certificate was forgotten by now.
  if (SSL_CTX_check_private_key(context.native_handle()) != 1)
    refuse("--tls-key", files.key,
           "is the key of another certificate than " + files.certificate);
  return context;
}

}  // namespace trestle::web
