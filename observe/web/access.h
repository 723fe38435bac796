#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trestle::web {

enum class Role { kViewer, kOperator };

/// "viewer", "operator".
std::string_view name(Role role) noexcept;

/// A person who may look at the page, and the digest of the token that he has.
struct AccessKey {
  std::string person;  ///< empty: the server's own user
  Role role = Role::kViewer;
  std::string digest;        ///< SHA-256 of the token, 64 hexadecimal digits
  std::int64_t expires = 0;  ///< UTC [s]; 0: never
};

/// Who looks.
struct Visitor {
  std::string person;
  Role role = Role::kViewer;
  std::string key = {};  ///< digest of his token; empty: he needs none
};

/// A new token: 128 bits of the kernel's random numbers, 32 hexadecimal digits.
std::string new_token();

/// Decides who may look. Five wrong tokens within a minute close an address for a minute.
///
/// Thread: one at a time.
class Access {
 public:
  enum class Outcome { kGranted, kWrong, kClosed };
  struct Answer {
    Outcome outcome = Outcome::kWrong;
    Visitor visitor;  ///< if granted
  };

  explicit Access(std::vector<AccessKey> keys) : keys_(std::move(keys)) {}

  /// From now on these keys hold, and no other.
  void replace(std::vector<AccessKey> keys) { keys_ = std::move(keys); }
  /// Whether the key by which a visitor came still holds.
  bool still_holds(const Visitor& visitor, std::int64_t utc) const;

  /// Whose token it is; nothing if it is nobody's. Counts nothing: for cookies, which a
  /// page keeps sending after the server was started again.
  std::optional<Visitor> find(std::string_view token, std::int64_t utc) const;
  /// The same for tokens that somebody states; wrong ones are counted.
  /// @param now      of any steady clock [s]
  /// @param utc      [s]
  Answer check(std::string_view token, const std::string& address, double now,
               std::int64_t utc);

 private:
  struct Wrong {
    double first = 0.0;
    int count = 0;
  };

  bool is_closed(const std::string& address, double now);

  std::vector<AccessKey> keys_;
  std::map<std::string, Wrong> wrong_;  // by address; bounded
};

/// The Host of a request is an address or a name that no foreign page can make its own:
/// a number, localhost, or a name of this host.
bool is_own_host(std::string_view host, const std::vector<std::string>& names);

}  // namespace trestle::web
