#include "adapters/driver/driver_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "adapters/driver/hello.h"
#include "adapters/driver/patient_poll.h"
#include "adapters/plugin/open_plugin.h"
#include "core/base/setting_error.h"

extern char** environ;

namespace trestle::driver {
namespace {

constexpr int kPatienceToOpen = 60'000;  // [ms]
constexpr int kBetweenOpenLooks = 20;    // [ms]
constexpr int kPatienceToEnd = 10'000;   // [ms]
constexpr int kTries = 3;                // a driver may end just now
constexpr int kDriverSocket = 3;         // its descriptor in the driver
constexpr int kEndLooks = 200;           // for the end of a process
constexpr int kBetweenEndLooks = 5;      // [ms]
const char* const kProgram = "trestle-driver";

/// Waits until the other end is gone. @returns whether it is
bool wait_for_end(int socket, int patience_ms) {
  return patient_poll(socket, 0, patience_ms);  // and nothing but the end
}

std::string process_text(pid_t process) {
  return "process " + std::to_string(process);
}

Hello hello_of(const DriverSettings& settings) {
  return {settings.file, stamp_of(settings.file), settings.settings};
}

/// Both ends of the first connection: a driver that this process starts has it from birth.
std::array<FileDescriptor, 2> socket_pair() {
  std::array<int, 2> ends{-1, -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::runtime_error("no socket for a driver (" +
                             std::generic_category().message(errno) + ")");
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

/// What a new process inherits: nothing but its socket, no terminal, no blocked signal.
class SpawnRules {
 public:
  SpawnRules(int socket, const std::string& log) {
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                     0644);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    posix_spawn_file_actions_adddup2(&files, socket, kDriverSocket);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(
        &attributes, static_cast<short>(POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
                                        POSIX_SPAWN_SETSIGDEF));
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
  }
  ~SpawnRules() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnRules(const SpawnRules&) = delete;
  SpawnRules& operator=(const SpawnRules&) = delete;

  posix_spawn_file_actions_t files{};
  posix_spawnattr_t attributes{};
};

}  // namespace

/// TRESTLE_PLUGIN_FOLDER leads from the program's folder to that of the plug-ins. In a
/// build tree, wherever it was moved, the driver is beside cli/; tests know its original
/// place.
std::string driver_program() {
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  const std::array places{program / TRESTLE_PLUGIN_FOLDER / kProgram,
                          program / "../adapters/driver_program" / kProgram,
                          fs::path(TRESTLE_DRIVER_FOLDER) / kProgram};
  for (const fs::path& place : places)
    if (fs::exists(place, unknown)) return fs::weakly_canonical(place, unknown).string();
  throw std::runtime_error(std::string("no program ") + kProgram +
                           " came with this program; looked in " +
                           places[0].parent_path().lexically_normal().string() +
                           ". Install it again, or write isolation: none");
}

DriverProcess::DriverProcess(const DriverSettings& settings, const std::string& path,
                             const std::atomic<bool>* given_up) {
  std::filesystem::create_directories(settings.folder);
  for (int n = 0; n < kTries; ++n) {
    socket_ = call_driver(settings.folder);
    process_ = socket_ ? trusted_peer(socket_.number()) : 0;
    if (!socket_) start(settings);
    if (greet(settings, path, given_up)) return;
    end(kPatienceToEnd);
  }
  throw std::runtime_error("no driver for the plug-in " + settings.file +
                           " can be had; see " + settings.folder + "/driver.log");
}

/// @returns false: this driver ends, try again
bool DriverProcess::greet(const DriverSettings& settings, const std::string& path,
                          const std::atomic<bool>* given_up) {
  if (!send_hello(socket_.number(), hello_of(settings))) return false;
  await_opening(settings.file, given_up);
  std::optional<Reply> reply = receive_reply(socket_.number(), 0);
  if (!reply) {
    if (is_closed(socket_.number())) return false;
    const pid_t silent = process_;
    if (child_ != 0) end(0);
    throw std::runtime_error("the driver (" + process_text(silent) + ") of the plug-in " +
                             settings.file +
                             " has not opened its rig for 60 s; see to the equipment, and "
                             "end the driver if it still exists");
  }
  const std::string name = std::filesystem::path(settings.file).filename().string();
  switch (reply->welcome) {
    case Welcome::kOpen:
      shared_ = std::make_unique<SharedPage>(std::move(reply->page));
      life_ = std::make_unique<LifeSign>(shared_->page().site);
      return true;
    case Welcome::kNotLoaded:
      end(kPatienceToEnd);
      throw SettingError(path, reply->words);
    case Welcome::kRefused:
      end(kPatienceToEnd);
      throw plugin::refused_to_open(reply->words, settings.settings, name, path);
    case Welcome::kBusy:
      throw std::runtime_error("the rig of the plug-in " + name +
                               " is driven already: its driver (" + process_text(process_) +
                               ") serves " + reply->words + "; end that one first");
    case Welcome::kHangs:
      throw std::runtime_error(
          "the driver (" + process_text(process_) + ") of the plug-in " + name + " " +
          reply->words +
          "; see to the equipment, end the driver (kill -9), and start the site again");
    case Welcome::kWantsAnother:
      break;
  }
  return false;
}

/// Waits until the driver has a reply, or has ended, or its patience has.
void DriverProcess::await_opening(const std::string& file,
                                  const std::atomic<bool>* given_up) {
  for (int waited = 0; waited < kPatienceToOpen; waited += kBetweenOpenLooks) {
    if (patient_poll(socket_.number(), POLLIN, kBetweenOpenLooks)) return;
    if (given_up == nullptr || !given_up->load()) continue;
    const pid_t silent = process_;
    // Nothing moves while a rig is opened (R8): what opens it may end as it is. One that
    // was there before may have its rig already, and stays.
    if (child_ == 0) socket_ = {};
    if (child_ != 0) kill(child_, SIGKILL);
    end(0);
    throw std::runtime_error("the driver (" + process_text(silent) + ") of the plug-in " +
                             file + " had not opened its rig when a hold gave it up");
  }
}

void DriverProcess::start(const DriverSettings& settings) {
  auto [near, far] = socket_pair();
  // A number that does not collide with the one that the driver expects.
  const FileDescriptor high(fcntl(far.number(), F_DUPFD_CLOEXEC, 10));
  const SpawnRules rules(high.number(), settings.folder + "/driver.log");
  const std::string program = driver_program();
  std::array<char*, 3> words{const_cast<char*>(program.c_str()),
                             const_cast<char*>(settings.folder.c_str()), nullptr};
  const int error = posix_spawn(&child_, program.c_str(), &rules.files, &rules.attributes,
                                words.data(), environ);
  if (error != 0) {
    child_ = 0;
    throw std::runtime_error(program + ": cannot be started (" +
                             std::generic_category().message(error) +
                             "); or write isolation: none");
  }
  process_ = child_;
  socket_ = std::move(near);
}

bool DriverProcess::ended() const noexcept {
  return is_closed(socket_.number());
}

int DriverProcess::end_status() const noexcept {
  siginfo_t how{};
  if (child_ == 0 ||
      waitid(P_PID, static_cast<id_t>(child_), &how, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      how.si_pid == 0)
    return -1;
  return how.si_code == CLD_EXITED ? W_EXITCODE(how.si_status, 0)
                                   : W_EXITCODE(0, how.si_status);
}

void DriverProcess::end(int patience_ms) noexcept {
  if (socket_ && !wait_for_end(socket_.number(), patience_ms) && process_ > 0) {
    kill(process_, SIGTERM);
    wait_for_end(socket_.number(), patience_ms);
  }
  // Its descriptors close shortly before it can be waited for.
  for (int n = 0; child_ != 0 && n < kEndLooks && waitpid(child_, nullptr, WNOHANG) == 0;
       ++n)
    poll(nullptr, 0, kBetweenEndLooks);
  child_ = 0;
  socket_ = {};
}

void DriverProcess::fence() {
  life_.reset();
  if (!ended()) {
    kill(process_, SIGKILL);
    if (child_ != 0) kill(-child_, SIGKILL);  // it leads its group
    if (!wait_for_end(socket_.number(), kPatienceToEnd))
      throw std::runtime_error("the driver (" + process_text(process_) +
                               ") hangs in the kernel and does not end (SIGKILL); see to "
                               "the equipment and its device driver, and start the host "
                               "again");
  }
  end(0);
}

DriverProcess::~DriverProcess() {
  // A driver that ended already leaves its number.
  if (child_ != 0) waitpid(child_, nullptr, WNOHANG);
}

bool end_orphan(const DriverSettings& settings) {
  const FileDescriptor socket = call_driver(settings.folder);
  if (!socket) return false;
  const pid_t process = trusted_peer(socket.number());
  if (!send_hello(socket.number(), {})) return true;
  const std::optional<Reply> reply = receive_reply(socket.number(), kPatienceToEnd);
  if ((!reply || reply->welcome == Welcome::kWantsAnother) &&
      wait_for_end(socket.number(), kPatienceToEnd))
    return true;
  throw std::runtime_error(
      reply && reply->welcome == Welcome::kBusy
          ? "the rig of the plug-in " + settings.file + " is driven already: its driver (" +
                process_text(process) + ") serves " + reply->words + "; end that one first"
          : "the driver (" + process_text(process) + ") of the plug-in " + settings.file +
                " does not end; see to the equipment, and end the driver (kill -9)");
}

}  // namespace trestle::driver
