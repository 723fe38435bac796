/* my_rig: a site adapter for Trestle.
 *
 * As it stands it simulates one actuator that goes where it is told, with a spring behind
 * it. Put your equipment in where it says HERE, then set real_equipment to 1. What each
 * function must keep stands in trestle/site_adapter_abi.h, rule by rule. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trestle/plugin_settings.h>
#include <trestle/site_adapter_abi.h>

typedef struct rig {
  double stiffness;  /* [N/m] */
  double drive;      /* [m] */
  double measured;   /* [m] */
  int opened;        /* the first read of the run is done */
  atomic_uint holds; /* asked so far, by any thread */
  unsigned begun_at; /* the count when the last write began */
} rig;

/* A hold lasts until a write that begins after it. */
static int is_held(const rig* r) {
  return atomic_load(&r->holds) != r->begun_at;
}

static void* my_open(const char* settings, char* why, uint32_t why_size) {
  static const char* const known[] = {"stiffness", NULL};
  rig* r;
  double stiffness;
  if (!trestle_settings_known(settings, known, why, why_size)) return NULL;
  if (!trestle_number(settings, "stiffness", 1e6, &stiffness, why, why_size)) return NULL;
  if (!(stiffness > 0.0)) {
    snprintf(why, why_size, "stiffness: must be above zero");
    return NULL;
  }
  r = (rig*)calloc(1, sizeof(rig));
  if (r == NULL) {
    snprintf(why, why_size, "no memory");
    return NULL;
  }
  r->stiffness = stiffness;
  /* HERE: open the device or the socket; on failure free(r), say why, return NULL. */
  return r;
}

static void my_describe(void* handle, trestle_rig_capabilities* is) {
  (void)handle;
  is->actuators = 1;
  is->real_equipment = 0;
  is->hardware_watchdog = 0;
  is->max_rate_hz = 4096.0;
}

static void my_describe_channel(void* handle, uint32_t what, uint32_t index,
                                trestle_channel* channel) {
  (void)handle;
  (void)index;
  if (what == TRESTLE_ACTUATOR) snprintf(channel->name, sizeof(channel->name), "jack");
}

static trestle_adapter_status my_prepare(void* handle, const trestle_run* run, char* why,
                                         uint32_t why_size) {
  rig* const r = (rig*)handle;
  (void)run;
  (void)why;
  (void)why_size;
  r->drive = 0.0;
  r->measured = 0.0;
  r->opened = 0;
  r->begun_at = atomic_load(&r->holds);
  return TRESTLE_ADAPTER_OK;
}

static trestle_adapter_status my_read(void* handle, int64_t now_ns,
                                      trestle_sensed* sensed) {
  rig* const r = (rig*)handle;
  /* HERE: take the newest measurement, without waiting for one. */
  if (r->opened) r->measured = r->drive;
  r->opened = 1;
  sensed->measured_at_ns = now_ns;
  sensed->displacement[0] = r->measured;
  sensed->force[0] = r->stiffness * r->measured;
  return TRESTLE_ADAPTER_OK;
}

static trestle_adapter_status my_write(void* handle, const double* drive) {
  rig* const r = (rig*)handle;
  const unsigned holds = atomic_load(&r->holds); /* before anything else */
  const double next = drive[0];
  r->begun_at = holds;
  if (is_held(r)) return TRESTLE_ADAPTER_LATE; /* overtaken: the rig must not move */
  /* HERE: send the drive, without waiting until it is sent. */
  r->drive = next;
  return TRESTLE_ADAPTER_OK;
}

static void my_hold(void* handle) {
  rig* const r = (rig*)handle;
  /* HERE: tell the equipment to stay where it is. What is simulated is there already. */
  atomic_fetch_add(&r->holds, 1u);
}

static void my_stop(void* handle) {
  my_hold(handle);
  /* HERE: make it safe for people. */
}

static void my_diagnose(void* handle, char* text, uint32_t size) {
  const rig* const r = (const rig*)handle;
  snprintf(text, size, "%s", is_held(r) ? "held" : "following its drive");
}

static uint32_t my_save(void* handle, double* state, uint32_t room) {
  const rig* const r = (const rig*)handle;
  const double all[] = {r->drive, r->measured, r->opened ? 1.0 : 0.0,
                        is_held(r) ? 1.0 : 0.0};
  const uint32_t count = (uint32_t)(sizeof(all) / sizeof(all[0]));
  if (room > 0) memcpy(state, all, sizeof(double) * (room < count ? room : count));
  return count;
}

static trestle_adapter_status my_restore(void* handle, const double* state,
                                         uint32_t count) {
  rig* const r = (rig*)handle;
  if (count != 4) return TRESTLE_ADAPTER_TRIPPED;
  r->drive = state[0];
  r->measured = state[1];
  r->opened = state[2] != 0.0;
  r->begun_at = atomic_load(&r->holds) - (state[3] != 0.0 ? 1u : 0u);
  return TRESTLE_ADAPTER_OK;
}

static void my_close(void* handle) {
  /* HERE: give the device back. */
  free(handle);
}

const trestle_adapter_v1* trestle_site_adapter_v1(void) {
  static const trestle_adapter_v1 table = {TRESTLE_SITE_ADAPTER_ABI,
                                           sizeof(trestle_adapter_v1),
                                           my_open,
                                           my_describe,
                                           my_describe_channel,
                                           my_prepare,
                                           my_read,
                                           my_write,
                                           my_hold,
                                           my_stop,
                                           my_diagnose,
                                           my_save,
                                           my_restore,
                                           my_close,
                                           NULL}; /* digital inputs and outputs */
  return &table;
}
