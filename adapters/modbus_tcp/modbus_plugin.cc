// The plug-in modbus_tcp: the C border around ModbusRig.
#include "adapters/modbus_tcp/modbus_rig.h"
#include "adapters/plugin/plugin_entry.h"

namespace {

class Plc final : public trestle::modbus_tcp::ModbusRig {
 public:
  explicit Plc(const char* settings)
      : ModbusRig(trestle::modbus_tcp::plc_settings(settings)) {}
};

class Description {
 public:
  explicit Description(const char* settings)
      : settings_(trestle::modbus_tcp::plc_settings(settings)) {}

  void describe(trestle_rig_capabilities& is) const noexcept {
    Plc::describe(settings_, is);
  }
  void describe_channel(std::uint32_t what, std::uint32_t index,
                        trestle_channel& channel) const noexcept {
    Plc::describe_channel(settings_, what, index, channel);
  }

 private:
  trestle::modbus_tcp::PlcSettings settings_;
};

}  // namespace

const trestle_adapter_v1* trestle_site_adapter_v1() {
  return trestle::plugin::PluginEntry<Plc>::table();
}

const trestle_adapter_v1* trestle_site_adapter_settings_v1() {
  return trestle::plugin::PluginEntry<trestle::plugin::UnopenedRig<Description>>::table();
}
