// A shared object that is wrong in the one way that WRONG says, for the loader.
#include "adapters/plugin/site_adapter_abi.h"

#define NO_ENTRY 1
#define LATER_ENTRY 2
#define NO_TABLE 3
#define OTHER_VERSION 4
#define OTHER_SIZE 5
#define NO_FUNCTIONS 6
#define SMALL_CONTACTS 7
#define NO_CONTACTS 8

#if WRONG == LATER_ENTRY
extern "C" __attribute__((visibility("default"))) const void* trestle_site_adapter_v2() {
  return nullptr;
}
#elif WRONG != NO_ENTRY
#if WRONG == SMALL_CONTACTS || WRONG == NO_CONTACTS
namespace {
/// All functions are there; the table of contacts is what is wrong.
void fill(trestle_adapter_v1& table) {
  static trestle_contacts_v1 contacts{};
  contacts.size = WRONG == SMALL_CONTACTS ? 8 : sizeof(contacts);
  contacts.count = [](void*, uint32_t*, uint32_t*) {
  };
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
  table.contacts = &contacts;
}
}  // namespace
#else
static void fill(trestle_adapter_v1& /*table*/) {}
#endif
const trestle_adapter_v1* trestle_site_adapter_v1() {
  static trestle_adapter_v1 table{};
  fill(table);
  table.abi = WRONG == OTHER_VERSION ? 7 : TRESTLE_SITE_ADAPTER_ABI;
  table.size = WRONG == OTHER_SIZE ? 96 : sizeof(table);
  return WRONG == NO_TABLE ? nullptr : &table;
}
#endif
