// The plug-in modbus_tcp: the C border around ModbusRig.
#include "adapters/modbus_tcp/modbus_rig.h"
#include "adapters/plugin/plugin_entry.h"

namespace {

class Plc final : public trestle::modbus_tcp::ModbusRig {
 public:
  explicit Plc(const char* settings)
      : ModbusRig(trestle::modbus_tcp::plc_settings(settings)) {}
};

}  // namespace

const trestle_adapter_v1* trestle_site_adapter_v1() {
  return trestle::plugin::PluginEntry<Plc>::table();
}
