#include "core/host/person.h"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "core/base/person_name.h"
#include "core/host/quiet_thread.h"
#include "core/host/system_file.h"

namespace trestle::host {
namespace {

// The kernel's value for a process without a login: (uid_t) -1.
constexpr unsigned long kNoLogin = 4294967295UL;
constexpr std::size_t kLongestName = 64;
// Files answer in microseconds, a directory of users in milliseconds, or never.
constexpr auto kDirectoryPatience = std::chrono::milliseconds(200);

std::string name_in_directory(uid_t user) {
  std::array<char, 4096> room{};
  passwd entry{};
  passwd* found = nullptr;
  getpwuid_r(user, &entry, room.data(), room.size(), &found);
  return found != nullptr ? found->pw_name : std::string();
}

/// A look-up that may outlive who asked for it.
struct LookUp {
  std::mutex mutex;
  std::condition_variable done;
  std::optional<std::string> name;
};

std::string login_name(std::optional<uid_t> login) {
  return login ? account_name(*login) : std::string();
}

}  // namespace

std::optional<uid_t> login_of(pid_t process, const std::string& proc) {
  if (process <= 0) return std::nullopt;
  const std::optional<std::string> text =
      system_file(proc + "/" + std::to_string(process) + "/loginuid");
  if (!text || text->empty()) return std::nullopt;
  char* end = nullptr;
  const unsigned long user = std::strtoul(text->c_str(), &end, 10);
  if (*end != '\0' || user >= kNoLogin) return std::nullopt;
  return static_cast<uid_t>(user);
}

std::string account_name(uid_t user) {
  return account_name(user, name_in_directory);
}

std::string account_name(uid_t user, std::function<std::string(uid_t)> directory) {
  const auto asked = std::make_shared<LookUp>();
  quiet_thread([asked, user, directory = std::move(directory)] {
    std::string name = directory(user);
    const std::lock_guard lock(asked->mutex);
    asked->name = std::move(name);
    asked->done.notify_all();
  }).detach();
  std::unique_lock lock(asked->mutex);
  asked->done.wait_for(lock, kDirectoryPatience, [&] { return asked->name.has_value(); });
  return asked->name && !asked->name->empty() ? *asked->name
                                              : "uid " + std::to_string(user);
}

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "here";
  return name.data();
}

Person person(const std::string& account, const std::string& login,
              const std::string& called) {
  // TRESTLE_AS comes unchecked: what is no name names nobody.
  const std::string said =
      refusal_of_name(called).empty() ? without_outer_blanks(called) : std::string();
  const std::string name = !said.empty() ? said : !login.empty() ? login : "unknown";
  const std::string place = account + "@" + host_name();
  return {name == account ? place : name + " (" + place + ")",
          !said.empty() || !login.empty()};
}

Person this_person(const std::string& called) {
  return person(account_name(geteuid()), login_name(login_of(getpid())), called);
}

Person person_behind(pid_t process, uid_t user) {
  return person(account_name(user), login_name(login_of(process)), {});
}

std::string refusal_of_name(const std::string& called) {
  if (called.empty()) return {};
  if (called.size() > kLongestName)
    return "--as has " + std::to_string(called.size()) + " bytes; must be at most " +
           std::to_string(kLongestName);
  // The audit writes the account behind the name, in brackets.
  if (!is_person_name(called) || called.find_first_of("()") != std::string::npos)
    return "--as must be a person's name, with a letter and without brackets and control "
           "characters; neither unknown nor integrator";
  return {};
}

}  // namespace trestle::host
