// The plug-in openfresco: the C border around Laboratory.
#include <algorithm>

#include "adapters/openfresco_client/openfresco_lab.h"
#include "adapters/plugin/plugin_entry.h"

namespace {

using trestle::AdapterStatus;
using trestle::openfresco::LabSettings;
using trestle::openfresco::OpenFrescoLab;

trestle_adapter_status status_of(AdapterStatus status) {
  if (status == AdapterStatus::kOk) return TRESTLE_ADAPTER_OK;
  return status == AdapterStatus::kLate ? TRESTLE_ADAPTER_LATE : TRESTLE_ADAPTER_TRIPPED;
}

void describe_rig(const LabSettings& settings, trestle_rig_capabilities& is) {
  is.actuators = static_cast<std::uint32_t>(settings.actuators);
  is.real_equipment = 1;
  is.max_rate_hz = settings.rate;
}

void describe_channel_of(const LabSettings& settings, std::uint32_t what,
                         std::uint32_t index, trestle_channel& channel) {
  if (what != TRESTLE_ACTUATOR || index >= settings.rotates.size()) return;
  channel.rotates = settings.rotates[index] ? 1 : 0;
}

class Description {
 public:
  explicit Description(const char* settings)
      : settings_(trestle::openfresco::laboratory_settings(settings)) {}

  void describe(trestle_rig_capabilities& is) const { describe_rig(settings_, is); }
  void describe_channel(std::uint32_t what, std::uint32_t index,
                        trestle_channel& channel) const {
    describe_channel_of(settings_, what, index, channel);
  }

 private:
  LabSettings settings_;
};

class Server {
 public:
  explicit Server(const char* settings)
      : laboratory_(trestle::openfresco::laboratory_settings(settings)) {}

  void describe(trestle_rig_capabilities& is) const {
    describe_rig(laboratory_.settings(), is);
  }
  void describe_channel(std::uint32_t what, std::uint32_t index,
                        trestle_channel& channel) const {
    describe_channel_of(laboratory_.settings(), what, index, channel);
  }
  void prepare() { laboratory_.prepare(); }
  trestle_adapter_status read(std::int64_t now_ns, trestle_sensed& sensed) {
    const OpenFrescoLab::Reading reading = laboratory_.read();
    if (reading.status != AdapterStatus::kOk) return status_of(reading.status);
    sensed.measured_at_ns = now_ns - reading.age.count();
    std::copy(reading.displacement.begin(), reading.displacement.end(),
              sensed.displacement);
    std::copy(reading.force.begin(), reading.force.end(), sensed.force);
    return TRESTLE_ADAPTER_OK;
  }
  trestle_adapter_status write(const double* drive) {
    const auto actuators = static_cast<std::size_t>(laboratory_.settings().actuators);
    return status_of(laboratory_.write({drive, actuators}));
  }
  void hold() { laboratory_.hold(); }
  void stop() { laboratory_.hold(); }
  void diagnose(char* text, std::uint32_t text_size) {
    laboratory_.diagnose({text, text_size});
  }

 private:
  OpenFrescoLab laboratory_;
};

}  // namespace

const trestle_adapter_v1* trestle_site_adapter_v1() {
  return trestle::plugin::PluginEntry<Server>::table();
}

const trestle_adapter_v1* trestle_site_adapter_settings_v1() {
  return trestle::plugin::PluginEntry<trestle::plugin::UnopenedRig<Description>>::table();
}
