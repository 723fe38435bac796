#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

namespace trestle::host {

/// The person who gave a command, as the audit names it: by the login that the kernel
/// stores, which neither sudo nor su changes, or by the given name (`--as`).
struct Person {
  /// "ada@lab"; "ada (root@lab)" where the account is another; "unknown (root@lab)".
  std::string text;
  bool known = false;
};

/// Returns the user whose login started this process or its ancestors; empty if no user
/// logged in (a service, a container), or if this host does not report it.
/// @param proc  folder with the kernel's data about processes
std::optional<uid_t> login_of(pid_t process, const std::string& proc = "/proc");

/// Name of an account, or its number, also where the directory of users does not answer
/// within 0.2 s.
std::string account_name(uid_t user);
/// @param directory  looks a name up, empty: there is none; on a separate thread
std::string account_name(uid_t user, std::function<std::string(uid_t)> directory);
std::string host_name();

/// @param account  the process runs under it, by name
/// @param login    name of the login; empty: none
/// @param called   the name that was given; empty, or none of a person: none
Person person(const std::string& account, const std::string& login,
              const std::string& called);

/// The person behind this process.
Person this_person(const std::string& called);
/// The person behind a process that may have ended already.
/// @param user  its account
Person person_behind(pid_t process, uid_t user);

/// Why a name that was given cannot be one of a person (is_person_name()), or empty; also
/// empty if none was given.
std::string refusal_of_name(const std::string& called);

}  // namespace trestle::host
