#include "observe/web/tls_files.h"

#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <ctime>
#include <memory>
#include <stdexcept>

namespace trestle::web {
namespace {

constexpr std::time_t kSoon = 14 * 86400;  // [s]

struct Freed {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  void operator()(X509* certificate) const noexcept { X509_free(certificate); }
  void operator()(GENERAL_NAMES* names) const noexcept { GENERAL_NAMES_free(names); }
};

std::string dns_name(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(ASN1_STRING_length(text))};
}

std::vector<std::string> names_of(X509& certificate) {
  std::vector<std::string> names;
  const std::unique_ptr<GENERAL_NAMES, Freed> all(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; all != nullptr && i < sk_GENERAL_NAME_num(all.get()); ++i) {
    const GENERAL_NAME* const one = sk_GENERAL_NAME_value(all.get(), i);
    if (one->type != GEN_DNS) continue;
    const std::string name = dns_name(one->d.dNSName);
    if (name.find('*') == std::string::npos) names.push_back(name);
  }
  return names;
}

std::string problem_of(const X509& certificate, const std::string& path, std::int64_t utc) {
  std::tm end{};
  const ASN1_TIME* const until = X509_get0_notAfter(&certificate);
  if (ASN1_TIME_to_tm(until, &end) != 1) return {};
  const std::time_t seconds = timegm(&end);
  if (seconds > utc + kSoon) return {};
  char day[16] = {};
  std::strftime(day, sizeof day, "%Y-%m-%d", &end);
  return "the certificate " + path +
         (seconds > utc
              ? " expires on " + std::string(day) + ", from when on browsers warn of it"
              : " expired on " + std::string(day) + ": browsers warn of it") +
         "; renew it, and start again";
}

}  // namespace

CertificateFacts read_certificate(const std::string& path, std::int64_t utc) {
  const std::unique_ptr<std::FILE, Freed> file(std::fopen(path.c_str(), "re"));
  if (!file) throw std::runtime_error("--tls-cert " + path + ": cannot be opened");
  const std::unique_ptr<X509, Freed> certificate(
      PEM_read_X509(file.get(), nullptr, nullptr, nullptr));
  if (!certificate)
    throw std::runtime_error("--tls-cert " + path + ": no certificate in PEM is in it");
  return {names_of(*certificate), problem_of(*certificate, path, utc)};
}

}  // namespace trestle::web
