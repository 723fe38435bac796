#include "composition/processes/rig_place.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "composition/processes/drive_question_file.h"
#include "composition/processes/run_folder.h"
#include "composition/rigs/plugin_identity.h"
#include "core/base/lasting_file.h"
#include "core/host/host_lookup.h"
#include "core/host/person.h"
#include "core/host/state_folder.h"
#include "site-servers/node/fault_latch.h"

namespace trestle::composition {
namespace {

namespace place_fs = std::filesystem;

constexpr std::size_t kLongestSlug = 40;

/// A word for a card is not a host: the resolver is not queried.
std::string canonical_value(const std::string& key, const std::string& value) {
  if (value.find('/') != std::string::npos) return host::canonical_address(value);
  if (key == "socket") return host::canonical_address("./" + value);
  return key == "device" ? value : host::canonical_address(value);
}

/// The adapter by its name, wherever its file lies, with its address in one spelling.
std::string equipment_of(const std::string& site, const config::PluginAdapter& plugin) {
  const std::string name =
      plugin.has_file() ? place_fs::path(plugin.file()).stem().string() : plugin.name();
  std::string address;
  for (const std::string key : kAddressSettings) {
    std::istringstream lines(plugin.settings());
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with(key + ": "))
        address += (key == "port" && !address.empty() ? ":" : " ") +
                   canonical_value(key, line.substr(key.size() + 2));
  }
  return name + (address.empty() ? " of site " + site : " at" + address);
}

RigIdentity make_identity(const std::string& site, const config::Adapter& adapter) {
  return {site, rig_of_plugin(site, adapter.plugin()),
          equipment_of(site, adapter.plugin())};
}

/// Readable, and another for another rig.
std::string place_name(const std::string& rig) {
  const std::string slug = to_folder_name(rig);
  const std::size_t from = slug.size() > kLongestSlug ? slug.size() - kLongestSlug : 0;
  return slug.substr(from) + rig_digits(rig);
}

/// A file without a reason is a fault, too. @returns its sentence; empty: no fault is kept
std::string latched_fault(const std::string& path) {
  std::ifstream file(path);
  if (!file) return {};
  std::string line;
  std::getline(file, line);
  return line.empty() ? site_node::kUnknownFault : line;
}

std::string value_in(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key + ": ")) return line.substr(key.size() + 2);
  return {};
}

int locked(const std::string& folder) {
  const std::string path = folder + "/lock";
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0)
    throw std::runtime_error(path + ": cannot be written (" +
                             std::generic_category().message(errno) +
                             "); set TRESTLE_STATE to a folder that can");
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return file;
  const int error = errno;
  close(file);
  if (error != EWOULDBLOCK)
    throw std::runtime_error(path + ": cannot be locked (" +
                             std::generic_category().message(error) +
                             "); set TRESTLE_STATE to a folder of this host");
  return -1;
}

/// A site may have several: its twin has a separate place.
template <typename Fits>
std::optional<KnownRig> newest_rig(const std::string& where, Fits fits) {
  std::error_code none;
  std::string rigs;
  try {
    rigs = host::state_folder() + "/rigs";
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
  const std::string folder = place_fs::absolute(where, none).lexically_normal().string();
  std::optional<KnownRig> found;
  place_fs::file_time_type newest{};
  for (const place_fs::directory_entry& entry : place_fs::directory_iterator(rigs, none)) {
    const std::string facts = entry.path().string() + "/rig";
    const std::string serves = value_in(facts, "serves");
    if (value_in(facts, "site") != where && serves != folder) continue;
    const place_fs::file_time_type when = place_fs::last_write_time(facts, none);
    if (found && when <= newest) continue;
    KnownRig rig{entry.path().string(), value_in(facts, "rig"), serves,
                 latched_fault(entry.path().string() + "/fault")};
    if (!fits(rig)) continue;
    newest = when;
    found = std::move(rig);
  }
  return found;
}

}  // namespace

RigIdentity identity_of(const config::SiteFile& file) {
  if (file.has_adapter()) return make_identity(file.site(), file.adapter());
  return {file.site(), "simulated rig of site " + file.site(), {}};
}

RigIdentity identity_of(const config::Site& site) {
  if (site.has_adapter() && !site.twin()) return make_identity(site.name(), site.adapter());
  return {site.name(), "simulated rig of site " + site.name(), {}};
}

RigPlace::RigPlace(const RigIdentity& identity, const std::string& serves)
    : folder_(host::state_folder() + "/rigs/" + place_name(identity.rig)) {
  try {
    make_folders(folder_);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(std::string(error.what()) +
                             "; or set TRESTLE_STATE to a folder that can be written");
  }
  lock_ = locked(folder_);
  const std::string facts = folder_ + "/rig";
  if (lock_ < 0)
    throw std::runtime_error("the rig of site " + identity.site + " (" + identity.rig +
                             ") is driven already: by process " +
                             value_in(facts, "process") + " of " + value_in(facts, "by") +
                             ", which serves " + value_in(facts, "serves") +
                             "; one process drives a rig, so end that one first");
  if (!identity.equipment.empty()) claim(identity);
  const std::string at =
      serves.empty() ? folder_ : place_fs::absolute(serves).lexically_normal().string();
  keep_file(facts, "site: " + identity.site + "\nrig: " + identity.rig + "\nserves: " + at +
                       "\nprocess: " + std::to_string(getpid()) +
                       "\nby: " + host::this_person({}).text + "\n");
}

/// The lock's file is found by those of one state folder only.
void RigPlace::claim(const RigIdentity& identity) {
  claim_.emplace("trestle-rig" + rig_digits(identity.equipment));
  const std::optional<host::HostClaim::Holder>& other = claim_->other();
  if (!other) return;
  close(lock_);
  const std::string who = other->process > 0
                              ? "process " + std::to_string(other->process) + " of " +
                                    host::person_behind(other->process, other->user).text
                              : "a process that this host does not name";
  throw std::runtime_error("the rig of site " + identity.site + " (" + identity.rig +
                           ") is driven already: by " + who +
                           ", which has another state folder than " + host::state_folder() +
                           "; one process drives a rig, so end that one first");
}

RigPlace::~RigPlace() {
  close(lock_);
}

std::optional<KnownRig> known_rig(const std::string& where) {
  return newest_rig(where, [](const KnownRig&) { return true; });
}

std::optional<KnownRig> rig_in_fault(const std::string& where) {
  return newest_rig(where, [](const KnownRig& rig) { return !rig.fault.empty(); });
}

std::string clear_fault(const KnownRig& rig, const std::string& by,
                        const std::string& drive) {
  const int lock = locked(rig.folder);
  if (lock < 0)
    throw std::runtime_error("a process drives the rig (" + rig.rig +
                             ") and does not answer; end it first");
  const std::unique_ptr<int, void (*)(int*)> unlock(new int(lock), [](int* file) {
    close(*file);
    delete file;
  });
  if (asks_for_drive(rig.folder)) {
    if (drive.empty()) return rig.fault;
    if (std::string why = reply_drive(rig.folder, drive, by); !why.empty()) return why;
  } else if (!drive.empty()) {
    return "nobody asks for the drive in force here; trestle clear without --drive clears "
           "the fault, and a resumed test asks where it is not known";
  }
  std::ifstream before(rig.folder + "/history");
  const std::string history((std::istreambuf_iterator<char>(before)), {});
  keep_file(rig.folder + "/history",
            history + utc_timestamp() + " cleared by " + by +
                (drive.empty() ? "" : ", with the drive " + drive + " in force") + ": " +
                rig.fault + "\n");
  move_file(rig.folder + "/fault", rig.folder + "/fault.room");
  return {};
}

}  // namespace trestle::composition
