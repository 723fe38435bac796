#include "composition/hybrid_test/endpoint_factory.h"

#include <algorithm>
#include <stdexcept>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/site_name.h"
#include "core/base/setting_error.h"
#include "core/base/twin_notice.h"
#include "core/bus/address_checks.h"
#include "core/bus/bus_address.h"
#include "core/bus/curve_key_file.h"
#include "core/yaml/config_error_collector.h"

namespace trestle::composition {
namespace {

using Problems = std::vector<SettingIssue>;

const char* const kNoKey =
    " is no key; it has 40 characters of Z85, as in the .pub file of `trestle keygen`";

bus::AllowedPeer peer_of(const config::Peer& peer) {
  return {.name = peer.name(),
          .public_key = peer.public_key(),
          .role = peer.role() == config::OBSERVER ? bus::PeerRole::kObserver
                                                  : bus::PeerRole::kParticipant};
}

void check_peers(const config::Security& security, Problems& problems) {
  for (int i = 0; i < security.peers_size(); ++i) {
    const config::Peer& peer = security.peers(i);
    const std::string path = "security.peers[" + std::to_string(i) + "].public_key";
    if (!bus::is_curve_key(peer.public_key()))
      problems.push_back({path, "`" + peer.public_key() + "`" + kNoKey});
    for (int j = 0; j < i; ++j)
      if (peer.public_key() == security.peers(j).public_key())
        problems.push_back({path, "peers " + security.peers(j).name() + " and " +
                                      peer.name() +
                                      " have the same key; nobody could tell them apart"});
  }
}

bus::BusSecurity security_of(const config::Security& security, Problems& problems) {
  bus::BusSecurity guard;
  guard.insecure = security.insecure();
  for (const config::Peer& peer : security.peers()) guard.peers.push_back(peer_of(peer));
  check_peers(security, problems);
  if (security.key().empty()) {
    if (security.peers_size() > 0)
      problems.push_back({"security.peers",
                          "keys are asked of others, but this node has none; make one with "
                          "`trestle keygen` and give its file as security.key"});
    return guard;
  }
  if (security.insecure())
    problems.push_back({"security.insecure",
                        "says plain sockets, and security.key says encrypted ones; take "
                        "one of them away"});
  try {
    guard.secret_key = bus::read_secret_key(security.key());
  } catch (const std::runtime_error& error) {
    problems.push_back({"security.key", error.what()});
  }
  return guard;
}

/// A peer that this node calls, and where the file names it.
struct CalledPeer {
  const std::string& address;
  std::string address_path;
  const std::string& key;
  std::string key_path;
};

void check_called(const config::Security& security, const CalledPeer& peer,
                  Problems& problems) {
  const auto& [address, address_path, key, key_path] = peer;
  if (const std::string wrong = bus::address_problem(address, bus::AddressUse::kCalled);
      !wrong.empty())
    return problems.push_back({address_path, wrong});
  const bool by_key = !security.key().empty();
  if (!by_key && !key.empty())
    problems.push_back({key_path,
                        "is given, but this node has no key; give "
                        "its file as security.key"});
  if (by_key && key.empty())
    problems.push_back(
        {address_path, "is called by key, so its public key is needed: give " + key_path +
                           ", from its .pub file"});
  if (by_key && !key.empty() && !bus::is_curve_key(key))
    problems.push_back({key_path, "`" + key + "`" + kNoKey});
  if (by_key) return;
  if (const std::string why = bus::validate_plain_address(address, security.insecure());
      !why.empty())
    problems.push_back({address_path, why});
}

void check_listening(const config::Security& security, const std::string& address,
                     Problems& problems) {
  if (const std::string wrong = bus::address_problem(address, bus::AddressUse::kListened);
      !wrong.empty())
    return problems.push_back({"listen", wrong});
  if (!security.key().empty()) return;
  if (const std::string why = bus::validate_plain_address(address, security.insecure());
      !why.empty())
    problems.push_back({"listen", why});
}

bool lists_conductor(const config::Security& security, const std::string& name) {
  return std::ranges::any_of(security.peers(), [&](const config::Peer& peer) {
    return peer.role() == config::CONDUCTOR && (name.empty() || peer.name() == name);
  });
}

bus::IntegratorEndpoint endpoint_of(const config::Test& test, Problems& problems) {
  const config::Security& security = test.security();
  bus::IntegratorEndpoint endpoint;
  bool calls_in = false;
  for (int i = 0; i < test.sites_size(); ++i) {
    const config::Site& site = test.sites(i);
    if (!is_remote(site)) continue;
    const std::string path = "sites[" + std::to_string(i) + "]";
    endpoint.sites.push_back({site.name(), site.address(), site.public_key()});
    if (!site.address().empty()) {
      check_called(
          security,
          {site.address(), path + ".address", site.public_key(), path + ".public_key"},
          problems);
      continue;
    }
    calls_in = true;
    if (!security.key().empty() && !lists_conductor(security, site.name()))
      problems.push_back({path + ".remote",
                          "site " + site.name() +
                              " calls in, but security.peers lists no key for it; add `" +
                              site.name() + ": {public_key: ...}` there"});
  }
  if (endpoint.sites.empty()) return endpoint;
  endpoint.security = security_of(security, problems);
  if (!calls_in) return endpoint;
  endpoint.listen = test.listen();
  check_listening(security, test.listen(), problems);
  return endpoint;
}

}  // namespace

bus::IntegratorEndpoint integrator_endpoint(const config::Test& test,
                                            const yaml::SourceMap& where) {
  Problems problems;
  bus::IntegratorEndpoint endpoint = endpoint_of(test, problems);
  yaml::ConfigErrorCollector told(where);
  told.attempt([&] {
    if (!problems.empty()) throw SettingError(problems);
  });
  told.throw_if_any();
  return endpoint;
}

void check_addresses(const config::Test& test, const yaml::SourceMap& where) {
  Problems problems;
  bool calls_in = false;
  for (int i = 0; i < test.sites_size(); ++i) {
    const config::Site& site = test.sites(i);
    if (!is_remote(site)) continue;
    calls_in = calls_in || site.address().empty();
    if (site.address().empty()) continue;
    if (const std::string wrong =
            bus::address_problem(site.address(), bus::AddressUse::kCalled);
        !wrong.empty())
      problems.push_back({"sites[" + std::to_string(i) + "].address", wrong});
  }
  if (calls_in)
    if (const std::string wrong =
            bus::address_problem(test.listen(), bus::AddressUse::kListened);
        !wrong.empty())
      problems.push_back({"listen", wrong});
  yaml::ConfigErrorCollector told(where);
  told.attempt([&] {
    if (!problems.empty()) throw SettingError(problems);
  });
  told.throw_if_any();
}

bus::SiteEndpoint site_endpoint(const config::SiteFile& file) {
  const config::Security& security = file.security();
  Problems problems;
  bus::SiteEndpoint endpoint{.name = file.site(),
                             .listen = file.listen(),
                             .integrator = file.integrator(),
                             .integrator_key = file.integrator_key(),
                             .security = security_of(security, problems)};
  if (const std::string wrong = site_name_problem(file.site()); !wrong.empty())
    problems.push_back({"site", wrong});
  if (!file.integrator().empty())
    check_called(security,
                 {file.integrator(), "integrator", file.integrator_key(), "integrator_key"},
                 problems);
  if (!file.listen().empty()) {
    check_listening(security, file.listen(), problems);
    if (!security.key().empty() && !lists_conductor(security, ""))
      problems.push_back({"security.key",
                          "is asked of each caller, but security.peers lists no "
                          "conductor, so nobody could ever command this site"});
  }
  if (!problems.empty()) throw SettingError(problems);
  return endpoint;
}

std::string describe_connection(const config::Test& test, int index) {
  const config::Site& site = test.sites(index);
  if (site.twin()) return twin_notice(site.name());
  if (!is_remote(site)) return "in this process";
  const std::string& address = site.address().empty() ? test.listen() : site.address();
  const std::string calls = site.address().empty() ? ", it calls in at " : ", at ";
  if (!test.security().key().empty()) return "by key (CURVE)" + calls + address;
  if (bus::is_local_address(address)) return "plain, on this machine" + calls + address;
  return test.security().insecure()
             ? "INSECURE: plain beyond this machine, any program that gets there may "
               "speak" +
                   calls + address
             : "not at all: plain beyond this machine" + calls + address;
}

}  // namespace trestle::composition
