#include "studies/campaign/store_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "core/base/file_descriptor.h"
#include "core/base/lasting_file.h"

namespace trestle::campaign {
namespace {

using Owner = StoreLock::Owner;

std::string first_line(const std::string& path) {
  std::string line;
  std::getline(std::ifstream(path), line);
  return line;
}

/// When the kernel started a process, in ticks since the boot; empty: there is none.
std::string start_of_process(long process) {
  const std::string line = first_line("/proc/" + std::to_string(process) + "/stat");
  const std::size_t name_end = line.rfind(')');  // the name may hold anything
  if (name_end == std::string::npos) return {};
  std::istringstream words(line.substr(name_end + 1));
  std::string word;
  for (int i = 0; i < 20; ++i) words >> word;  // state is field 3, the start field 22
  return word;
}

std::string variable_or_empty(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): at start
  return value == nullptr ? "" : value;
}

std::string owner_words(const Owner& owner) {
  return "host " + owner.host + "\nmachine " + owner.machine + "\nboot " + owner.boot +
         "\nspace " + owner.space + "\nprocess " + std::to_string(owner.process) +
         "\nstarted " + owner.started + "\njob " + owner.job + "\nrestart " +
         std::to_string(owner.restart) + "\n";
}

std::optional<Owner> read_owner(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) return std::nullopt;
  Owner owner;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t blank = line.find(' ');
    const std::string key = line.substr(0, blank);
    const std::string value =
        blank == std::string::npos ? std::string{} : line.substr(blank + 1);
    if (key == "host") owner.host = value;
    if (key == "machine") owner.machine = value;
    if (key == "boot") owner.boot = value;
    if (key == "space") owner.space = value;
    if (key == "process") owner.process = std::atol(value.c_str());
    if (key == "started") owner.started = value;
    if (key == "job") owner.job = value;
    if (key == "restart") owner.restart = std::atoi(value.c_str());
  }
  return owner;
}

/// Of a process on another host only Slurm knows: it starts a job again when the start
/// before has ended, or when its node is down.
bool is_known_dead(const Owner& owner, const Owner& me) {
  if (!owner.job.empty() && owner.job == me.job && owner.restart < me.restart) return true;
  if (owner.host != me.host || owner.machine != me.machine) return false;
  if (owner.boot != me.boot) return true;
  return owner.space == me.space && start_of_process(owner.process) != owner.started;
}

/// fcntl on a file of the same folder, as SQLite will use it.
StoreLock::Method method_here(const std::string& beside) {
  const FileDescriptor probe(
      ::open((beside + ".probe").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!probe) return StoreLock::Method::kKernel;  // the store says what is wrong
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_len = 1;
  const bool works =
      ::fcntl(probe.number(), F_SETLK, &lock) == 0 || errno == EAGAIN || errno == EACCES;
  ::unlink((beside + ".probe").c_str());
  return works ? StoreLock::Method::kKernel : StoreLock::Method::kFolder;
}

}  // namespace

Owner StoreLock::Owner::here() {
  std::array<char, 256> name{};
  Owner me;
  me.host = gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
  me.machine = first_line("/etc/machine-id");
  me.boot = first_line("/proc/sys/kernel/random/boot_id");
  std::error_code unknown;
  me.space = std::filesystem::read_symlink("/proc/self/ns/pid", unknown).string();
  me.process = getpid();
  me.started = start_of_process(me.process);
  me.job = variable_or_empty("SLURM_JOB_ID");
  me.restart = std::atoi(variable_or_empty("SLURM_RESTART_COUNT").c_str());
  return me;
}

StoreLock::StoreLock(std::string store, Owner me)
    : StoreLock(store, std::move(me), method_here(store)) {}

StoreLock::StoreLock(std::string store, Owner me, Method method)
    : store_(std::move(store)), me_(std::move(me)), method_(method) {
  std::error_code unknown;
  if (!std::filesystem::exists(lock_folder(), unknown)) return;
  const std::optional<Owner> owner = read_owner(owner_file());
  if (!owner || !is_known_dead(*owner, me_)) refuse();
  // Another program may be taking it over as well: only one of them can move this file.
  const std::string moved = owner_file() + "-" + std::to_string(me_.process);
  std::filesystem::rename(owner_file(), moved, unknown);
  if (unknown || owner_words(read_owner(moved).value_or(Owner{})) != owner_words(*owner)) {
    std::filesystem::rename(moved, owner_file(), unknown);
    refuse();
  }
  std::filesystem::remove(lock_folder(), unknown);
  std::filesystem::remove(moved, unknown);
}

void StoreLock::refuse() const {
  throw std::runtime_error(store_ + " is locked" + owner_text() +
                           "; if that program is surely dead, remove " + lock_folder() +
                           " and start again");
}

StoreLock::~StoreLock() {
  if (!taken_) return;
  const std::optional<Owner> owner = read_owner(owner_file());
  if (owner && owner_words(*owner) == owner_words(me_)) ::unlink(owner_file().c_str());
}

std::string StoreLock::vfs() const {
  return method_ == Method::kFolder ? "unix-dotfile" : "";
}

void StoreLock::take() {
  keep_file(owner_file(), owner_words(me_));
  taken_ = true;
}

std::string StoreLock::owner_text() const {
  const std::optional<Owner> owner = read_owner(owner_file());
  if (!owner) return "";
  return " by process " + std::to_string(owner->process) + " on " + owner->host;
}

}  // namespace trestle::campaign
