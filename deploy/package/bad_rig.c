/* The skeleton of `trestle adapter new my_rig`, spoilt in the way that RIG_ says; for check_installed.sh. */
#include <math.h>
#include <time.h>
#define trestle_site_adapter_v1 good_table
#include "my_rig/my_rig.c"
#undef trestle_site_adapter_v1

static int reads; /* of this process */

static trestle_adapter_status bad_read(void* handle, int64_t now_ns, trestle_sensed* sensed) {
  const trestle_adapter_status status = my_read(handle, now_ns, sensed);
  if (++reads < 200) return status;
#if defined(RIG_OVERRUNS)
  const struct timespec long_time = {0, 60 * 1000 * 1000};
  nanosleep(&long_time, NULL);
#elif defined(RIG_RETURNS_GARBAGE)
  sensed->force[0] = NAN;
#elif defined(RIG_TRIPS)
  return TRESTLE_ADAPTER_TRIPPED;
#endif
  return status;
}

static void bad_describe(void* handle, trestle_rig_capabilities* is) {
  my_describe(handle, is);
#if defined(RIG_LIES)
  is->actuators = 1000;
#endif
}

__attribute__((visibility("default"))) const trestle_adapter_v1* trestle_site_adapter_v1(void) {
  static trestle_adapter_v1 table;
  table = *good_table();
  table.read = bad_read;
  table.describe = bad_describe;
  return &table;
}
