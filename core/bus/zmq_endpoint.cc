#include "core/bus/zmq_endpoint.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <stdexcept>
#include <vector>

#include "core/bus/curve_key_file.h"

namespace trestle::bus {
namespace {

constexpr std::size_t kLongestNameByKey = 200;  // unique_id() adds to it

[[noreturn]] void refuse(const std::string& why) {
  throw std::runtime_error(why);
}

void check_name(const std::string& name, bool by_key) {
  const std::size_t longest = by_key ? kLongestNameByKey : kLongestName;
  if (name.empty() || name.size() > longest || name.front() == '\0')
    refuse("site name \"" + name + "\" cannot travel; it needs 1 to " +
           std::to_string(longest) + " bytes");
}

void check_key(const std::string& key, const std::string& whose) {
  if (!is_curve_key(key))
    refuse(whose +
           " is no key; it has 40 characters of Z85, as the .pub file of `trestle keygen`");
}

void check_security(const BusSecurity& security) {
  if (security.secret_key.empty()) return;
  check_key(security.secret_key, "the secret key of this node");
  for (std::size_t i = 0; i < security.peers.size(); ++i) {
    const AllowedPeer& peer = security.peers[i];
    check_key(peer.public_key, "the public key of peer " + peer.name);
    for (std::size_t j = 0; j < i; ++j) {
      if (peer.name == security.peers[j].name)
        refuse("two peers are named " + peer.name + "; names are unique");
      if (peer.public_key == security.peers[j].public_key)
        refuse("peers " + security.peers[j].name + " and " + peer.name +
               " have the same key; nobody could tell them apart");
    }
  }
}

bool lists_conductor(const BusSecurity& security, const std::string& name) {
  return std::ranges::any_of(security.peers, [&](const AllowedPeer& peer) {
    return peer.role == PeerRole::kParticipant && (name.empty() || peer.name == name);
  });
}

}  // namespace

void check_endpoint(const IntegratorEndpoint& endpoint) {
  const bool by_key = !endpoint.security.secret_key.empty();
  check_security(endpoint.security);
  std::vector<std::string> names;
  for (const auto& site : endpoint.sites) {
    check_name(site.name, by_key);
    if (std::ranges::find(names, site.name) != names.end())
      refuse("two sites are named " + site.name + "; names are unique");
    if (site.address.empty() && endpoint.listen.empty())
      refuse("site " + site.name + " has no address, and nobody listens for its call");
    if (by_key && !site.address.empty())
      check_key(site.public_key, "the public key of site " + site.name);
    if (by_key && site.address.empty() && !lists_conductor(endpoint.security, site.name))
      refuse("site " + site.name +
             " calls in, but its key is not listed under its name in security.peers");
    names.push_back(site.name);
  }
}

void check_endpoint(const SiteEndpoint& endpoint) {
  const bool by_key = !endpoint.security.secret_key.empty();
  check_security(endpoint.security);
  check_name(endpoint.name, by_key);
  if (endpoint.listen.empty() == endpoint.integrator.empty())
    refuse("site " + endpoint.name + " needs exactly one of `listen` and `integrator`");
  if (by_key && !endpoint.integrator.empty())
    check_key(endpoint.integrator_key, "the public key of the integrator");
  if (by_key && endpoint.integrator.empty() && !lists_conductor(endpoint.security, ""))
    refuse("site " + endpoint.name +
           " listens, but no peer with the role conductor is listed in security.peers");
}

std::string unique_id(const std::string& name) {
  std::random_device random;
  std::string id = name + "~";
  for (int i = 0; i < 4; ++i) {
    std::array<char, 9> digits{};
    std::snprintf(digits.data(), digits.size(), "%08x", random());
    id += digits.data();
  }
  return id;
}

std::string_view name_in(std::string_view id) noexcept {
  return id.substr(0, id.rfind('~'));
}

}  // namespace trestle::bus
