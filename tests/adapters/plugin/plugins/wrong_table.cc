// A shared object that is wrong in the one way that WRONG says, for the loader.
#include "adapters/plugin/site_adapter_abi.h"

#define NO_ENTRY 1
#define LATER_ENTRY 2
#define NO_TABLE 3
#define OTHER_VERSION 4
#define OTHER_SIZE 5
#define NO_FUNCTIONS 6

#if WRONG == LATER_ENTRY
extern "C" __attribute__((visibility("default"))) const void* trestle_site_adapter_v2() {
  return nullptr;
}
#elif WRONG != NO_ENTRY
const trestle_adapter_v1* trestle_site_adapter_v1() {
  static trestle_adapter_v1 table{};
  table.abi = WRONG == OTHER_VERSION ? 7 : TRESTLE_SITE_ADAPTER_ABI;
  table.size = WRONG == OTHER_SIZE ? 96 : sizeof(table);
  return WRONG == NO_TABLE ? nullptr : &table;
}
#endif
