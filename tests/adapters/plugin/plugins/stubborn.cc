// Real equipment that does not come back from the function that the file `stick` names, as
// long as it names it. Every call that could move it goes to the file `log`, a line each.
// `abort`, `close`, `leak`, `start` and `call` in the file `stick`: the next read()
// crashes, closes descriptors that are not its own, takes memory until it gets none, starts
// a process, or opens a socket of the network; the last two trip where that fails.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "adapters/plugin/plugin_settings.h"
#include "adapters/plugin/site_adapter_abi.h"

namespace {

constexpr std::size_t kPath = 200;

struct Rig {
  char stick[kPath];
  int log;
  double stiffness;
  double drive;
  std::atomic<unsigned> holds;
};

Rig& rig_of(void* handle) {
  return *static_cast<Rig*>(handle);
}

void note(const Rig& rig, const char* what, double drive) {
  char line[80];
  const int size = std::snprintf(line, sizeof line, "%s %.9g\n", what, drive);
  [[maybe_unused]] const auto count =
      ::write(rig.log, line, static_cast<std::size_t>(size));
}

bool sticks(const Rig& rig, const char* in) {
  char word[16] = {};
  const int file = ::open(rig.stick, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  [[maybe_unused]] const auto count = ::read(file, word, sizeof word - 1);
  ::close(file);
  return std::strncmp(word, in, std::strlen(in)) == 0;
}

void stay_while_it_sticks(const Rig& rig, const char* in) {
  if (!sticks(rig, in)) return;
  note(rig, "hangs", 0.0);
  const std::timespec pause{0, 1'000'000};
  while (sticks(rig, in)) nanosleep(&pause, nullptr);
  note(rig, "back", 0.0);
}

/// @returns whether memory was left; the most that it takes is more than a driver has
bool leak() {
  constexpr std::size_t kMost = std::size_t{3} << 30;
  constexpr std::size_t kPiece = std::size_t{64} << 20;
  for (std::size_t taken = 0; taken < kMost; taken += kPiece)
    if (std::malloc(kPiece) == nullptr) return false;
  return true;
}

bool starts_process() {
  const pid_t process = fork();
  if (process == 0) _exit(0);
  return process > 0;
}

bool opens_network() {
  const int made = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (made >= 0) ::close(made);
  return made >= 0;
}

void* open(const char* settings, char* why, uint32_t why_size) {
  static const char* const known[] = {"device", "log", "stick", "stiffness", nullptr};
  char log[kPath] = {};
  double stiffness = 0.0;
  auto* const rig = new Rig{};
  if (trestle_settings_known(settings, known, why, why_size) == 0 ||
      trestle_number(settings, "stiffness", 1e6, &stiffness, why, why_size) == 0) {
    delete rig;
    return nullptr;
  }
  trestle_setting(settings, "log", log, sizeof log);
  trestle_setting(settings, "stick", rig->stick, sizeof rig->stick);
  rig->stiffness = stiffness;
  rig->log = ::open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  stay_while_it_sticks(*rig, "open");
  return rig;
}

void describe(void* /*handle*/, trestle_rig_capabilities* is) {
  is->actuators = 1;
  is->real_equipment = 1;
  is->hardware_watchdog = 1;
  is->max_rate_hz = 1e4;
}

void describe_channel(void* /*handle*/, uint32_t /*what*/, uint32_t /*index*/,
                      trestle_channel* /*channel*/) {}

trestle_adapter_status prepare(void* /*handle*/, const trestle_run* /*run*/, char* /*why*/,
                               uint32_t /*why_size*/) {
  return TRESTLE_ADAPTER_OK;
}

trestle_adapter_status read(void* handle, int64_t now_ns, trestle_sensed* sensed) {
  Rig& rig = rig_of(handle);
  stay_while_it_sticks(rig, "read");
  if (sticks(rig, "trip")) return TRESTLE_ADAPTER_TRIPPED;
  if (sticks(rig, "abort")) std::abort();
  if ((sticks(rig, "leak") && !leak()) || (sticks(rig, "start") && !starts_process()) ||
      (sticks(rig, "call") && !opens_network()))
    return TRESTLE_ADAPTER_TRIPPED;
  for (int other = 3; sticks(rig, "close") && other < 64; ++other)
    if (other != rig.log) ::close(other);
  sensed->measured_at_ns = now_ns;
  sensed->displacement[0] = rig.drive;
  sensed->force[0] = rig.stiffness * rig.drive;
  return TRESTLE_ADAPTER_OK;
}

trestle_adapter_status write(void* handle, const double* drive) {
  Rig& rig = rig_of(handle);
  const unsigned holds = rig.holds;
  stay_while_it_sticks(rig, "write");
  if (rig.holds != holds) return TRESTLE_ADAPTER_OK;  // overtaken (R14)
  rig.drive = drive[0];
  note(rig, "drive", drive[0]);
  return TRESTLE_ADAPTER_OK;
}

void hold(void* handle) {
  ++rig_of(handle).holds;
  note(rig_of(handle), "hold", 0.0);
  stay_while_it_sticks(rig_of(handle), "hold");
}

void stop(void* handle) {
  note(rig_of(handle), "stop", 0.0);
}

void diagnose(void* handle, char* text, uint32_t text_size) {
  const Rig& rig = rig_of(handle);
  const char* why = "as stubborn as ever";
  if (sticks(rig, "trip")) why = "the emergency stop is open";
  if (sticks(rig, "leak")) why = "no memory is left";
  if (sticks(rig, "start")) why = "no process can be started";
  if (sticks(rig, "call")) why = "no socket can be opened";
  std::snprintf(text, text_size, "%s", why);
}

void close(void* handle) {
  ::close(rig_of(handle).log);
  delete static_cast<Rig*>(handle);
}

}  // namespace

const trestle_adapter_v1* trestle_site_adapter_v1() {
  static const trestle_adapter_v1 table{TRESTLE_SITE_ADAPTER_ABI,
                                        sizeof(trestle_adapter_v1),
                                        open,
                                        describe,
                                        describe_channel,
                                        prepare,
                                        read,
                                        write,
                                        hold,
                                        stop,
                                        diagnose,
                                        nullptr,
                                        nullptr,
                                        close,
                                        nullptr};
  return &table;
}
