// A spring that goes wrong in the way that `fault` says, at tick `at` of each run (−1:
// never).
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <mutex>
#include <stdexcept>

#include "adapters/plugin/plugin_settings.h"
#include "adapters/plugin/site_adapter_abi.h"

namespace {

struct Rig {
  char fault[32];
  double at;
  bool real;
  bool contacts;
  double stiffness;
  double tick = 0.0;
  double drive = 0.0;
  long ticks = 0;
  int holds = 0;     // by atomic_ref: hold() may come from any thread
  int in_write = 0;  // the same
  int writes_after_fault = 0;
  std::uint32_t outputs = 0;  // by atomic_ref

  bool goes_wrong(const char* as) const {
    return at >= 0.0 && static_cast<double>(ticks) >= at && std::strcmp(fault, as) == 0;
  }
};

Rig& rig_of(void* handle) {
  return *static_cast<Rig*>(handle);
}

/// No fault: it has an accelerometer, in the unit that stands behind `accelerated_`.
bool accelerated(const Rig& rig) {
  return std::strncmp(rig.fault, "accelerated: ", 13) == 0;
}

void busy(double seconds) {
  std::timespec begun{};
  std::timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &begun);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while (static_cast<double>(now.tv_sec - begun.tv_sec) +
             1e-9 * static_cast<double>(now.tv_nsec - begun.tv_nsec) <
         seconds);
}

void* open(const char* settings, char* why, uint32_t why_size) {
  static const char* const known[] = {"fault",    "at",        "real",
                                      "contacts", "stiffness", nullptr};
  Rig read{};
  double real = 0.0;
  double contacts = 0.0;
  trestle_setting(settings, "fault", read.fault, sizeof read.fault);
  if (std::strcmp(read.fault, "wordy") == 0 &&
      std::strstr(settings, "no_setting") != nullptr) {
    std::strcpy(why, "no_setting_of_yours: is not known, and why is shorter than this");
    return nullptr;
  }
  if (trestle_settings_known(settings, known, why, why_size) == 0) {
    if (std::strcmp(read.fault, "pathless") == 0) std::snprintf(why, why_size, "wrong");
    return nullptr;
  }
  if (trestle_number(settings, "at", -1.0, &read.at, why, why_size) == 0 ||
      trestle_number(settings, "real", 0.0, &real, why, why_size) == 0 ||
      trestle_number(settings, "contacts", 0.0, &contacts, why, why_size) == 0 ||
      trestle_number(settings, "stiffness", 1e6, &read.stiffness, why, why_size) == 0)
    return nullptr;
  read.real = real != 0.0;
  read.contacts = contacts != 0.0;
  if (std::strcmp(read.fault, "open") == 0) {
    std::snprintf(why, why_size, "the valve is shut");
    return nullptr;
  }
  return new Rig(read);
}

void describe(void* handle, trestle_rig_capabilities* is) {
  const Rig& rig = rig_of(handle);
  const auto lies = [&](const char* how) {
    return std::strcmp(rig.fault, how) == 0;
  };
  is->actuators = lies("no_actuator") ? 0 : lies("many_actuators") ? 17 : 1;
  is->real_equipment = lies("odd_flag") ? 7 : rig.real ? 1 : 0;
  is->hardware_watchdog = is->real_equipment;
  is->max_rate_hz = lies("no_rate") ? std::numeric_limits<double>::quiet_NaN()
                    : lies("slow")  ? 10.0
                                    : 1e4;
  is->auxiliary_channels = 1;
  if (rig.goes_wrong("changes") && rig.tick > 0.0) is->actuators = 2;
}

void describe_channel(void* handle, uint32_t what, uint32_t index,
                      trestle_channel* channel) {
  if (what == TRESTLE_INPUT || what == TRESTLE_OUTPUT) {
    static const char* const names[] = {"estop", "cage", "ready", "running"};
    const bool alike = std::strcmp(rig_of(handle).fault, "same_names") == 0;
    const std::uint32_t which = (what == TRESTLE_OUTPUT ? 2U : 0U) + (alike ? 0U : index);
    std::snprintf(channel->name, sizeof channel->name, "%s", names[which]);
    return;
  }
  if (std::strcmp(rig_of(handle).fault, "endless_name") == 0)
    std::memset(channel->name, 'x', sizeof channel->name);
  else if (what == TRESTLE_AUXILIARY)
    std::snprintf(channel->name, sizeof channel->name, "%s",
                  accelerated(rig_of(handle)) ? "acceleration_1" : "oil");
  if (rig_of(handle).goes_wrong("renames") && rig_of(handle).ticks > 0)
    std::snprintf(channel->name, sizeof channel->name, "later");
  if (what == TRESTLE_AUXILIARY && std::strcmp(rig_of(handle).fault, "half_drives") == 0) {
    std::snprintf(channel->name, sizeof channel->name, "drive_2");  // of one actuator
    std::snprintf(channel->unit, sizeof channel->unit, "mm");
    return;
  }
  if (what == TRESTLE_AUXILIARY)
    std::snprintf(channel->unit, sizeof channel->unit, "%s",
                  accelerated(rig_of(handle)) ? rig_of(handle).fault + 13 : "C");
}

trestle_adapter_status prepare(void* handle, const trestle_run* run, char* why,
                               uint32_t why_size) {
  Rig& rig = rig_of(handle);
  rig.tick = run->tick_s;
  if (std::strcmp(rig.fault, "stays") != 0) rig.drive = 0.0;
  if (rig.goes_wrong("prepare")) {
    std::snprintf(why, why_size, "the pump is off");
    return TRESTLE_ADAPTER_TRIPPED;
  }
  rig.ticks = 0;
  return TRESTLE_ADAPTER_OK;
}

trestle_adapter_status read(void* handle, int64_t now_ns, trestle_sensed* sensed) {
  Rig& rig = rig_of(handle);
  ++rig.ticks;
  if (rig.goes_wrong("late")) return TRESTLE_ADAPTER_LATE;
  if (rig.goes_wrong("late_once") && static_cast<double>(rig.ticks) < rig.at + 1.0)
    return TRESTLE_ADAPTER_LATE;
  if (rig.goes_wrong("trips")) return TRESTLE_ADAPTER_TRIPPED;
  if (rig.goes_wrong("nonsense")) return 42;
  if (rig.goes_wrong("allocates")) {
    static void* volatile room;
    room = std::malloc(100);
    std::free(room);
  }
  if (rig.goes_wrong("locks")) {
    static std::mutex shared;
    const std::lock_guard lock(shared);
  }
  if (rig.goes_wrong("overruns")) busy(3.0 * rig.tick);
  if (rig.goes_wrong("throws")) throw std::runtime_error("the pump is off");
  sensed->measured_at_ns = now_ns;
  if (rig.goes_wrong("future")) sensed->measured_at_ns += 5000000;
  if (rig.goes_wrong("old")) sensed->measured_at_ns -= 5000000;
  sensed->displacement[0] = rig.drive;
  sensed->force[0] = rig.stiffness * rig.drive;
  sensed->auxiliary[0] = 40.0;
  static double drift = 0.0;  // shared by all rigs, against rule R2
  if (rig.goes_wrong("random")) sensed->force[0] += drift += 1.0;
  if (rig.goes_wrong("pushes")) sensed->force[0] = -sensed->force[0];
  if (rig.goes_wrong("nan")) sensed->force[0] = std::numeric_limits<double>::quiet_NaN();
  if (rig.goes_wrong("two_actuators")) sensed->displacement[1] = 0.0;
  if (rig.goes_wrong("leaves_out"))
    sensed->force[0] = std::numeric_limits<double>::quiet_NaN();
  return TRESTLE_ADAPTER_OK;
}

trestle_adapter_status write(void* handle, const double* drive) {
  Rig& rig = rig_of(handle);
  if (rig.goes_wrong("write_trips")) return TRESTLE_ADAPTER_TRIPPED;
  if (rig.goes_wrong("write_late")) return TRESTLE_ADAPTER_LATE;
  const int holds = std::atomic_ref(rig.holds);
  std::atomic_ref(rig.in_write) = 1;
  const double next = rig.goes_wrong("scales") ? 1e3 * drive[0] : drive[0];
  std::atomic_ref(rig.in_write) = 0;
  if (std::atomic_ref(rig.holds) != holds && !rig.goes_wrong("undoes_a_hold"))
    return TRESTLE_ADAPTER_LATE;  // overtaken (R14)
  rig.drive = next;
  return TRESTLE_ADAPTER_OK;
}

void hold(void* handle) {
  Rig& rig = rig_of(handle);
  ++std::atomic_ref(rig.holds);
  // Not goes_wrong(): the ticks are another thread's.
  const bool waits = std::strcmp(rig.fault, "waits_in_hold") == 0;
  const std::timespec pause{0, 1'000'000};
  while (waits && std::atomic_ref(rig.in_write) != 0) nanosleep(&pause, nullptr);
}

void stop(void* handle) {
  hold(handle);
}

void count(void* handle, uint32_t* inputs, uint32_t* outputs) {
  const Rig& rig = rig_of(handle);
  *inputs = !rig.contacts ? 0U : std::strcmp(rig.fault, "many_inputs") == 0 ? 33U : 2U;
  if (rig.goes_wrong("counts_anew") && rig.ticks > 0) *inputs = 1;
  *outputs = rig.contacts ? 2U : 0U;
}

void inputs(void* handle, trestle_inputs* said) {
  const Rig& rig = rig_of(handle);
  said->known = rig.goes_wrong("loses_input") ? 2U : 3U;
  said->closed = rig.goes_wrong("loses_input") || rig.goes_wrong("opens_input") ? 2U : 3U;
  if (rig.goes_wrong("odd_input")) said->closed |= 32;
  if (rig.goes_wrong("closed_unknown")) said->known = 2;
  if (rig.goes_wrong("input_allocates")) {
    static void* volatile room;
    room = std::malloc(100);
    std::free(room);
  }
  if (rig.goes_wrong("input_overruns")) busy(3.0 * rig.tick);
}

void set_outputs(void* handle, uint32_t closed) {
  Rig& rig = rig_of(handle);
  if (std::strcmp(rig.fault, "output_locks") == 0) {
    static std::mutex shared;
    const std::lock_guard lock(shared);
  }
  std::atomic_ref(rig.outputs) = closed;
}

void diagnose(void* handle, char* text, uint32_t text_size) {
  Rig& rig = rig_of(handle);
  if (rig.contacts)
    std::snprintf(text, text_size, "oil is too hot, with outputs %u",
                  std::atomic_ref(rig.outputs).load());
  else
    std::snprintf(text, text_size, "oil is too hot after %ld ticks", rig.ticks);
}

uint32_t save(void* handle, double* state, uint32_t room) {
  if (room > 0) state[0] = rig_of(handle).drive;
  if (room > 1) state[1] = static_cast<double>(rig_of(handle).ticks);
  if (room > 1 && rig_of(handle).goes_wrong("endless_state"))
    state[1] = std::numeric_limits<double>::infinity();
  return rig_of(handle).goes_wrong("grows") ? 3 : 2;
}

trestle_adapter_status restore(void* handle, const double* state, uint32_t count) {
  if (count != 2 && std::strcmp(rig_of(handle).fault, "takes_all") != 0)
    return TRESTLE_ADAPTER_TRIPPED;
  rig_of(handle).drive = state[0];
  rig_of(handle).ticks = static_cast<long>(state[1]);
  return TRESTLE_ADAPTER_OK;
}

void close(void* handle) {
  delete static_cast<Rig*>(handle);
}

}  // namespace

const trestle_adapter_v1* trestle_site_adapter_v1() {
  static const trestle_contacts_v1 contacts{sizeof(trestle_contacts_v1), 0, count, inputs,
                                            set_outputs};
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
                                        save,
                                        restore,
                                        close,
                                        &contacts};
  return &table;
}
