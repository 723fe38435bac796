#include "observe/web/access.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/base/sha256.h"

namespace trestle::web {
namespace {

constexpr int kMostWrong = 5;
constexpr double kWrongWindow = 60.0;  // [s]
constexpr std::size_t kMostAddresses = 1000;
constexpr std::size_t kLongestToken = 200;

std::string_view without_port(std::string_view host) {
  if (!host.empty() && host.front() == '[') {
    const std::size_t end = host.find(']');
    return end == std::string_view::npos ? host : host.substr(0, end + 1);
  }
  return host.substr(0, host.rfind(':'));
}

bool is_number(std::string_view host) {
  if (!host.empty() && host.front() == '[') return host.back() == ']';
  return !host.empty() && host.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace

std::string_view name(Role role) noexcept {
  return role == Role::kOperator ? "operator" : "viewer";
}

std::string new_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("the kernel gives no random numbers for a token");
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) {
    token += kDigits[byte >> 4U];
    token += kDigits[byte & 15U];
  }
  return token;
}

bool Access::is_closed(const std::string& address, double now) {
  const auto found = wrong_.find(address);
  if (found == wrong_.end()) return false;
  if (now - found->second.first > kWrongWindow) {
    wrong_.erase(found);
    return false;
  }
  return found->second.count >= kMostWrong;
}

std::optional<Visitor> Access::find(std::string_view token, std::int64_t utc) const {
  if (token.empty()) return std::nullopt;
  const std::string digest = sha256(token.substr(0, kLongestToken));
  for (const AccessKey& key : keys_)
    if (key.digest == digest && (key.expires == 0 || utc < key.expires))
      return Visitor{key.person, key.role, key.digest};
  return std::nullopt;
}

bool Access::still_holds(const Visitor& visitor, std::int64_t utc) const {
  return std::any_of(keys_.begin(), keys_.end(), [&](const AccessKey& key) {
    return key.digest == visitor.key && key.role == visitor.role &&
           (key.expires == 0 || utc < key.expires);
  });
}

Access::Answer Access::check(std::string_view token, const std::string& address, double now,
                             std::int64_t utc) {
  if (is_closed(address, now)) return {Outcome::kClosed, {}};
  if (const std::optional<Visitor> visitor = find(token, utc))
    return {Outcome::kGranted, *visitor};
  if (wrong_.size() >= kMostAddresses) wrong_.clear();
  Wrong& wrong = wrong_[address];
  if (wrong.count++ == 0) wrong.first = now;
  // The fifth closes the address for a minute from now on.
  if (wrong.count == kMostWrong) wrong.first = now;
  return {Outcome::kWrong, {}};
}

bool is_own_host(std::string_view host, const std::vector<std::string>& names) {
  const std::string_view name = without_port(host);
  return is_number(name) || name == "localhost" ||
         std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace trestle::web
