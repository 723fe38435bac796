// A plug-in whose settings can be read alone (WITH_ENTRY), and one that has only the usual
// entry and links the other.
#include "adapters/plugin/plugin_entry.h"

namespace {

trestle_adapter_v1 table_of_nothing() {
  trestle_adapter_v1 table{};
  table.abi = TRESTLE_SITE_ADAPTER_ABI;
  table.size = sizeof(table);
  table.open = [](const char*, char*, uint32_t) -> void* {
    return nullptr;
  };
  table.describe = [](void*, trestle_rig_capabilities*) {
  };
  table.describe_channel = [](void*, uint32_t, uint32_t, trestle_channel*) {
  };
  table.prepare = [](void*, const trestle_run*, char*, uint32_t) {
    return 0;
  };
  table.read = [](void*, int64_t, trestle_sensed*) {
    return 0;
  };
  table.write = [](void*, const double*) {
    return 0;
  };
  table.hold = table.stop = table.close = [](void*) {
  };
  table.diagnose = [](void*, char*, uint32_t) {
  };
  return table;
}

}  // namespace

const trestle_adapter_v1* trestle_site_adapter_v1() {
  static const trestle_adapter_v1 table = table_of_nothing();
  return &table;
}

#if WITH_ENTRY
const trestle_adapter_v1* trestle_site_adapter_settings_v1() {
  return trestle_site_adapter_v1();
}
#endif
