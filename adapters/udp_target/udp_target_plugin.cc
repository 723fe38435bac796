// The plug-in udp_target: the C border around UdpTarget.
#include <cstdio>
#include <exception>
#include <string>

#include "adapters/udp_target/udp_target.h"

namespace {

using trestle::udp_target::Field;
using trestle::udp_target::Meaning;
using trestle::udp_target::UdpTarget;

UdpTarget& target(void* rig) {
  return *static_cast<UdpTarget*>(rig);
}

void say(const std::exception& error, char* why, std::uint32_t why_size) {
  std::snprintf(why, why_size, "%s", error.what());
}

void* open(const char* settings, char* why, std::uint32_t why_size) {
  try {
    return new UdpTarget(trestle::udp_target::target_settings(settings));
  } catch (const std::exception& error) {
    say(error, why, why_size);
    return nullptr;
  }
}

void describe(void* rig, trestle_rig_capabilities* is) {
  target(rig).describe(*is);
}

void describe_channel(void* rig, std::uint32_t what, std::uint32_t index,
                      trestle_channel* channel) {
  const auto& settings = target(rig).settings();
  const Field* const field =
      what == TRESTLE_ACTUATOR   ? settings.receive.find(Meaning::kDisplacement, index)
      : what == TRESTLE_REACTION ? settings.receive.find(Meaning::kReaction, index)
                                 : settings.receive.find(Meaning::kAuxiliary, index);
  if (field == nullptr) return;
  std::snprintf(channel->name, sizeof channel->name, "%s", field->name.c_str());
  if (what == TRESTLE_AUXILIARY)
    std::snprintf(channel->unit, sizeof channel->unit, "%s", field->unit_name.c_str());
  if (what == TRESTLE_ACTUATOR) channel->rotates = field->rotates ? 1 : 0;
}

trestle_adapter_status prepare(void* rig, const trestle_run* /*run*/, char* why,
                               std::uint32_t why_size) {
  try {
    target(rig).prepare();
    return TRESTLE_ADAPTER_OK;
  } catch (const std::exception& error) {
    say(error, why, why_size);
    return TRESTLE_ADAPTER_TRIPPED;
  }
}

trestle_adapter_status read(void* rig, std::int64_t now_ns, trestle_sensed* sensed) {
  return target(rig).read(now_ns, *sensed);
}

trestle_adapter_status write(void* rig, const double* drive) {
  return target(rig).write(drive);
}

void hold(void* rig) {
  target(rig).hold();
}

void stop(void* rig) {
  target(rig).stop();
}

void diagnose(void* rig, char* text, std::uint32_t text_size) {
  target(rig).diagnose(text, text_size);
}

void close(void* rig) {
  delete static_cast<UdpTarget*>(rig);
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
                                        close};
  return &table;
}
