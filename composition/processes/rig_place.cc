#include "composition/processes/rig_place.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "composition/processes/drive_question_file.h"
#include "composition/processes/rig_facts.h"
#include "composition/processes/run_folder.h"
#include "core/base/lasting_file.h"
#include "core/host/person.h"
#include "core/host/state_folder.h"
#include "site-servers/node/fault_latch.h"

namespace trestle::composition {
namespace {

namespace place_fs = std::filesystem;

constexpr int kLooks = 10;
constexpr std::chrono::milliseconds kForALook(10);

/// A file without a reason is a fault, too. @returns its sentence; empty: no fault is kept
std::string latched_fault(const std::string& path) {
  std::ifstream file(path);
  if (!file) return {};
  std::string line;
  std::getline(file, line);
  return line.empty() ? site_node::kUnknownFault : line;
}

int locked(const std::string& folder) {
  const std::string path = folder + "/lock";
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0)
    throw std::runtime_error(path + ": cannot be written (" +
                             std::generic_category().message(errno) +
                             "); set TRESTLE_STATE to a folder that can");
  // Another process may look for a moment whether it is locked (facts_of_driver).
  int looks = 0;
  while (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK && ++looks < kLooks)
    std::this_thread::sleep_for(kForALook);
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return file;
  const int error = errno;
  close(file);
  if (error != EWOULDBLOCK)
    throw std::runtime_error(path + ": cannot be locked (" +
                             std::generic_category().message(error) +
                             "); set TRESTLE_STATE to a folder of this host");
  return -1;
}

/// Those whose process served this site, or this folder. A site may have several: its twin
/// has a separate place.
std::vector<KnownRig> rigs_of(const std::string& where) {
  std::error_code none;
  std::vector<KnownRig> found;
  std::string rigs;
  try {
    rigs = host::state_folder() + "/rigs";
  } catch (const std::runtime_error&) {
    return found;
  }
  const std::string folder = place_fs::absolute(where, none).lexically_normal().string();
  for (const place_fs::directory_entry& entry : place_fs::directory_iterator(rigs, none)) {
    const std::string place = entry.path().string();
    const RigFacts facts = read_facts(place);
    if (facts.site == where || facts.serves == folder)
      found.push_back({place, facts.rig, facts.serves, latched_fault(place + "/fault")});
  }
  return found;
}

template <typename Fits>
std::optional<KnownRig> newest_rig(const std::string& where, Fits fits) {
  std::error_code none;
  std::optional<KnownRig> found;
  place_fs::file_time_type newest{};
  for (KnownRig& rig : rigs_of(where)) {
    const place_fs::file_time_type when =
        place_fs::last_write_time(path_of_facts(rig.folder), none);
    if ((found && when <= newest) || !fits(rig)) continue;
    newest = when;
    found = std::move(rig);
  }
  return found;
}

}  // namespace

RigPlace::RigPlace(const RigIdentity& identity, const std::string& serves)
    : folder_(place_of(identity)), claim_(identity) {
  try {
    make_folders(folder_);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(std::string(error.what()) +
                             "; or set TRESTLE_STATE to a folder that can be written");
  }
  lock_ = locked(folder_);
  if (lock_ < 0) {
    const RigFacts other = read_facts(folder_);
    throw std::runtime_error(
        driven_already(identity, "by process " + other.process + " of " + other.by +
                                     ", which serves " + other.serves));
  }
  keep_facts(
      folder_,
      {.site = identity.site,
       .rig = identity.rig,
       .serves = serves.empty() ? folder_
                                : place_fs::absolute(serves).lexically_normal().string(),
       .process = std::to_string(getpid()),
       .by = host::this_person({}).text});
}

RigPlace::~RigPlace() {
  close(lock_);
}

std::optional<KnownRig> known_rig(const std::string& where) {
  return newest_rig(where, [](const KnownRig&) { return true; });
}

std::vector<std::string> places_of_rigs(const std::string& where) {
  std::vector<std::string> places;
  for (const KnownRig& rig : rigs_of(where)) places.push_back(rig.folder);
  std::sort(places.begin(), places.end());
  return places;
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
