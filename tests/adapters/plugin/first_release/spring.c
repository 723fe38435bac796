/* A rig as a laboratory built it against the header of the first release, which is beside
 * it and is never changed: a spring of 2 kN/mm that follows at once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trestle/site_adapter_abi.h>

static const double kStiffness = 2e6;

struct spring {
  double drive;
  double reached;
};

static void* spring_open(const char* settings, char* why, uint32_t why_size) {
  if (settings[0] != '\0') {
    snprintf(why, why_size, "%.*s: is no setting", (int)strcspn(settings, ":"), settings);
    return NULL;
  }
  return calloc(1, sizeof(struct spring));
}

static void describe(void* rig, trestle_rig_capabilities* capabilities) {
  (void)rig;
  capabilities->actuators = 1;
  capabilities->max_rate_hz = 10000.0;
}

static void describe_channel(void* rig, uint32_t what, uint32_t index,
                             trestle_channel* channel) {
  (void)rig;
  if (what == TRESTLE_ACTUATOR && index == 0) strcpy(channel->name, "old jack");
}

static trestle_adapter_status prepare(void* rig, const trestle_run* run, char* why,
                                      uint32_t why_size) {
  (void)run;
  (void)why;
  (void)why_size;
  memset(rig, 0, sizeof(struct spring));
  return TRESTLE_ADAPTER_OK;
}

static trestle_adapter_status spring_read(void* rig, int64_t now_ns,
                                          trestle_sensed* sensed) {
  struct spring* spring = rig;
  spring->reached = spring->drive;
  sensed->measured_at_ns = now_ns;
  sensed->displacement[0] = spring->reached;
  sensed->force[0] = kStiffness * spring->reached;
  return TRESTLE_ADAPTER_OK;
}

static trestle_adapter_status spring_write(void* rig, const double* drive) {
  ((struct spring*)rig)->drive = drive[0];
  return TRESTLE_ADAPTER_OK;
}

static void hold(void* rig) {
  struct spring* spring = rig;
  spring->drive = spring->reached;
}

static void stop(void* rig) {
  (void)rig;
}

static void diagnose(void* rig, char* text, uint32_t text_size) {
  (void)rig;
  snprintf(text, text_size, "a spring of the first release");
}

static uint32_t save(void* rig, double* state, uint32_t room) {
  if (room >= 2) memcpy(state, rig, sizeof(struct spring));
  return 2;
}

static trestle_adapter_status restore(void* rig, const double* state, uint32_t count) {
  if (count != 2) return TRESTLE_ADAPTER_TRIPPED;
  memcpy(rig, state, sizeof(struct spring));
  return TRESTLE_ADAPTER_OK;
}

static void spring_close(void* rig) {
  free(rig);
}

static const trestle_adapter_v1 kTable = {TRESTLE_SITE_ADAPTER_ABI,
                                          sizeof(trestle_adapter_v1),
                                          spring_open,
                                          describe,
                                          describe_channel,
                                          prepare,
                                          spring_read,
                                          spring_write,
                                          hold,
                                          stop,
                                          diagnose,
                                          save,
                                          restore,
                                          spring_close};

const trestle_adapter_v1* trestle_site_adapter_v1(void) {
  return &kTable;
}
