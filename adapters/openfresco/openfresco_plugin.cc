// The plug-in openfresco: the C border around Laboratory.
#include <algorithm>
#include <cstdio>
#include <exception>

#include "adapters/openfresco/laboratory.h"
#include "adapters/plugin/site_adapter_abi.h"

namespace {

using trestle::AdapterStatus;
using trestle::openfresco::Laboratory;

Laboratory& laboratory(void* rig) {
  return *static_cast<Laboratory*>(rig);
}

trestle_adapter_status status_of(AdapterStatus status) {
  if (status == AdapterStatus::kOk) return TRESTLE_ADAPTER_OK;
  return status == AdapterStatus::kLate ? TRESTLE_ADAPTER_LATE : TRESTLE_ADAPTER_TRIPPED;
}

void* open(const char* settings, char* why, std::uint32_t why_size) {
  try {
    return new Laboratory(trestle::openfresco::laboratory_settings(settings));
  } catch (const std::exception& error) {
    std::snprintf(why, why_size, "%s", error.what());
    return nullptr;
  }
}

void describe(void* rig, trestle_rig_capabilities* is) {
  is->actuators = static_cast<std::uint32_t>(laboratory(rig).settings().actuators);
  is->real_equipment = 1;
  is->max_rate_hz = laboratory(rig).settings().rate;
}

void describe_channel(void* rig, std::uint32_t what, std::uint32_t index,
                      trestle_channel* channel) {
  const auto& rotates = laboratory(rig).settings().rotates;
  if (what != TRESTLE_ACTUATOR || index >= rotates.size()) return;
  channel->rotates = rotates[index] ? 1 : 0;
}

trestle_adapter_status prepare(void* rig, const trestle_run* /*run*/, char* why,
                               std::uint32_t why_size) {
  try {
    laboratory(rig).prepare();
    return TRESTLE_ADAPTER_OK;
  } catch (const std::exception& error) {
    std::snprintf(why, why_size, "%s", error.what());
    return TRESTLE_ADAPTER_TRIPPED;
  }
}

trestle_adapter_status read(void* rig, std::int64_t now_ns, trestle_sensed* sensed) {
  const Laboratory::Reading reading = laboratory(rig).read();
  if (reading.status != AdapterStatus::kOk) return status_of(reading.status);
  sensed->measured_at_ns = now_ns - reading.age.count();
  std::copy(reading.displacement.begin(), reading.displacement.end(), sensed->displacement);
  std::copy(reading.force.begin(), reading.force.end(), sensed->force);
  return TRESTLE_ADAPTER_OK;
}

trestle_adapter_status write(void* rig, const double* drive) {
  const auto actuators = static_cast<std::size_t>(laboratory(rig).settings().actuators);
  return status_of(laboratory(rig).write({drive, actuators}));
}

void hold(void* rig) {
  laboratory(rig).hold();
}

void stop(void* rig) {
  laboratory(rig).hold();
}

void diagnose(void* rig, char* text, std::uint32_t text_size) {
  laboratory(rig).diagnose({text, text_size});
}

void close(void* rig) {
  delete static_cast<Laboratory*>(rig);
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
