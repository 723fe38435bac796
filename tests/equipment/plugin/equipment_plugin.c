/* The rig of tests/equipment as a site adapter: real equipment, behind a Unix socket, so
 * that it outlives the site's process. Plain C, of the product nothing but the contract
 * itself.
 *
 * Settings: socket (path), actuators (1 to 4), rate (most ticks per second, Hz),
 * tells_drive (0 or 1: whether an auxiliary channel is known as the drive in force),
 * contacts (0 or 1: digital inputs and outputs; default 0). A hold overtakes a write that
 * is under way: orders carry how many holds had been asked when they were begun, and the
 * controller does not follow one that is older than its newest hold. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "adapters/plugin/site_adapter_abi.h"
#include "equipment_wire.h"

struct equipment {
  int link;
  uint32_t actuators;
  double rate;
  int tells_drive;
  int contacts;
  uint32_t known; /* digital inputs that the last read() found */
  char path[100];
  struct equipment_page* page;
  atomic_uint epoch;
  atomic_ullong sequence;
  atomic_int gone; /* 1: the controller does not listen any more */
  int any;         /* a report is there */
  struct equipment_report newest;
  uint64_t used; /* sequence of the report that read() gave last */
};

static int64_t host_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void stay_while(struct equipment* rig, uint32_t bit) {
  const struct timespec pause = {0, 1000000};
  volatile uint32_t* const stuck = &rig->page->stuck;
  if ((*stuck & bit) == 0) return;
  __atomic_fetch_add(&rig->page->inside, 1, __ATOMIC_SEQ_CST);
  while ((*stuck & bit) != 0) nanosleep(&pause, NULL);
}

/* Returns 0 where no memory is left. */
static int leak_while(struct equipment* rig, uint32_t bit) {
  const size_t size = 1 << 20;
  volatile uint32_t* const stuck = &rig->page->stuck;
  if ((*stuck & bit) == 0) return 1;
  __atomic_fetch_add(&rig->page->inside, 1, __ATOMIC_SEQ_CST);
  while ((*stuck & bit) != 0) {
    char* const taken = malloc(size);
    if (taken == NULL) return 0;
    for (size_t i = 0; i < size; i += 4096) ((volatile char*)taken)[i] = 1;
  }
  return 1;
}

static void be_slow_once(struct equipment* rig, uint32_t bit) {
  const struct timespec tick = {0, 7812500};
  volatile uint32_t* const stuck = &rig->page->stuck;
  if ((*stuck & bit) == 0) return;
  __atomic_fetch_and(stuck, ~bit, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&rig->page->inside, 1, __ATOMIC_SEQ_CST);
  nanosleep(&tick, NULL);
}

static trestle_adapter_status tell_of(struct equipment* rig, uint32_t kind, uint32_t epoch,
                                      const double* drive, uint32_t count) {
  struct equipment_order order;
  memset(&order, 0, sizeof order);
  order.magic = EQUIPMENT_ORDER_MAGIC;
  order.kind = kind;
  order.sequence = atomic_fetch_add(&rig->sequence, 1) + 1;
  order.epoch = epoch;
  order.count = count;
  for (uint32_t i = 0; drive != NULL && i < rig->actuators; ++i) order.drive[i] = drive[i];
  if (send(rig->link, &order, sizeof order, MSG_DONTWAIT | MSG_NOSIGNAL) ==
      (ssize_t)sizeof order)
    return TRESTLE_ADAPTER_OK;
  if (errno == EAGAIN || errno == EWOULDBLOCK) return TRESTLE_ADAPTER_LATE;
  atomic_store(&rig->gone, 1);
  return TRESTLE_ADAPTER_TRIPPED;
}

static trestle_adapter_status tell(struct equipment* rig, uint32_t kind, uint32_t epoch,
                                   const double* drive) {
  return tell_of(rig, kind, epoch, drive, rig->actuators);
}

static void listen_for_reports(struct equipment* rig) {
  struct equipment_report report;
  for (int i = 0; i < 1000; ++i) {
    const ssize_t got = recv(rig->link, &report, sizeof report, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK))
      atomic_store(&rig->gone, 1);
    if (got != (ssize_t)sizeof report) return;
    if (report.magic != EQUIPMENT_REPORT_MAGIC) continue;
    rig->newest = report;
    rig->any = 1;
  }
}

static int value_of(const char* settings, const char* name, char* value, size_t room) {
  const size_t length = strlen(name);
  for (const char* line = settings; line != NULL && *line != '\0';) {
    const char* const end = strchr(line, '\n');
    const size_t size = end != NULL ? (size_t)(end - line) : strlen(line);
    if (size > length + 2 && strncmp(line, name, length) == 0 && line[length] == ':') {
      const size_t copied = size - length - 2 < room - 1 ? size - length - 2 : room - 1;
      memcpy(value, line + length + 2, copied);
      value[copied] = '\0';
      return 1;
    }
    line = end != NULL ? end + 1 : NULL;
  }
  return 0;
}

/* Returns the name of a setting that nobody knows, else NULL. */
static const char* unknown(const char* settings, char* name, size_t room) {
  static const char* const known[] = {"socket", "actuators", "rate", "tells_drive",
                                      "contacts"};
  for (const char* line = settings; line != NULL && *line != '\0';) {
    const char* const end = strchr(line, '\n');
    size_t length = strcspn(line, ":\n");
    int found = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
      if (strlen(known[i]) == length && strncmp(known[i], line, length) == 0) found = 1;
    if (!found) {
      if (length > room - 1) length = room - 1;
      memcpy(name, line, length);
      name[length] = '\0';
      return name;
    }
    line = end != NULL ? end + 1 : NULL;
  }
  return NULL;
}

static int connect_to(struct equipment* rig, char* why, uint32_t why_size) {
  struct sockaddr_un address;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path, rig->path, strlen(rig->path) + 1);
  rig->link = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (rig->link < 0 ||
      connect(rig->link, (const struct sockaddr*)&address, sizeof address) != 0) {
    snprintf(why, why_size, "socket: no equipment answers at %s: %s", rig->path,
             strerror(errno));
    return 0;
  }
  char page[120];
  snprintf(page, sizeof page, "%s.page", rig->path);
  const int file = open(page, O_RDWR | O_CLOEXEC);
  void* const mapped = file < 0 ? MAP_FAILED
                                : mmap(NULL, sizeof(struct equipment_page),
                                       PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file >= 0) close(file);
  if (mapped == MAP_FAILED) {
    snprintf(why, why_size, "socket: %s cannot be mapped: %s", page, strerror(errno));
    return 0;
  }
  rig->page = mapped;
  return 1;
}

static void give_back(void* rig_) {
  struct equipment* const rig = rig_;
  if (rig->page != NULL) munmap(rig->page, sizeof(struct equipment_page));
  if (rig->link >= 0) close(rig->link);
  free(rig);
}

static void* take(const char* settings, char* why, uint32_t why_size) {
  char text[100];
  struct equipment* const rig = calloc(1, sizeof *rig);
  if (rig == NULL) return NULL;
  rig->link = -1;
  rig->actuators = 1;
  rig->rate = 2000.0;
  const char* const stranger = unknown(settings, text, sizeof text);
  if (stranger != NULL) {
    snprintf(why, why_size, "%s: is no setting of this plug-in", stranger);
    free(rig);
    return NULL;
  }
  if (value_of(settings, "actuators", text, sizeof text)) {
    const long count = strtol(text, NULL, 10);
    if (count < 1 || count > (long)EQUIPMENT_MOST) {
      snprintf(why, why_size, "actuators: is %s; must be 1 to %u", text, EQUIPMENT_MOST);
      free(rig);
      return NULL;
    }
    rig->actuators = (uint32_t)count;
  }
  rig->tells_drive =
      !value_of(settings, "tells_drive", text, sizeof text) || strcmp(text, "1") == 0;
  rig->contacts =
      value_of(settings, "contacts", text, sizeof text) && strcmp(text, "1") == 0;
  if (value_of(settings, "rate", text, sizeof text)) rig->rate = strtod(text, NULL);
  if (!(rig->rate > 0.0) || rig->rate > 1e5) {
    snprintf(why, why_size, "rate: must be above 0 and at most 100000 Hz");
    free(rig);
    return NULL;
  }
  if (!value_of(settings, "socket", rig->path, sizeof rig->path)) {
    snprintf(why, why_size, "socket: is missing; the path of the equipment's socket");
    free(rig);
    return NULL;
  }
  if (!connect_to(rig, why, why_size)) {
    give_back(rig);
    return NULL;
  }
  return rig;
}

static void describe(void* rig_, trestle_rig_capabilities* is) {
  const struct equipment* const rig = rig_;
  is->actuators = rig->actuators;
  is->auxiliary_channels = rig->actuators;
  is->real_equipment = 1;
  is->hardware_watchdog = 1;
  is->max_rate_hz = rig->rate;
}

static void describe_channel(void* rig_, uint32_t what, uint32_t index,
                             trestle_channel* channel) {
  const struct equipment* const rig = rig_;
  if (what == TRESTLE_ACTUATOR) {
    snprintf(channel->name, sizeof channel->name, "ram%u", index + 1);
  } else if (what == TRESTLE_AUXILIARY) {
    snprintf(channel->name, sizeof channel->name, rig->tells_drive ? "drive_%u" : "order%u",
             index + 1);
    snprintf(channel->unit, sizeof channel->unit, "m");
  } else if (what == TRESTLE_INPUT || what == TRESTLE_OUTPUT) {
    static const char* const names[] = {"estop",           "pressure",   "cage",
                                        "amplifier_ready", "site_ready", "test_running"};
    snprintf(channel->name, sizeof channel->name, "%s",
             names[(what == TRESTLE_OUTPUT ? 4 : 0) + index]);
  }
}

static trestle_adapter_status prepare(void* rig_, const trestle_run* run, char* why,
                                      uint32_t why_size) {
  struct equipment* const rig = rig_;
  const struct timespec pause = {0, 1000000};
  (void)run;
  tell(rig, EQUIPMENT_IDLE, atomic_load(&rig->epoch), NULL);
  const int64_t begun = host_ns();
  listen_for_reports(rig); /* those from before, which nobody has read */
  rig->any = 0;
  while (!rig->any && !atomic_load(&rig->gone) && host_ns() - begun < 2000000000) {
    listen_for_reports(rig);
    if (!rig->any) nanosleep(&pause, NULL);
  }
  if (!rig->any) {
    snprintf(why, why_size, "the equipment behind %s does not answer", rig->path);
    return TRESTLE_ADAPTER_TRIPPED;
  }
  return TRESTLE_ADAPTER_OK;
}

static trestle_adapter_status read_rig(void* rig_, int64_t now_ns, trestle_sensed* sensed) {
  struct equipment* const rig = rig_;
  stay_while(rig, EQUIPMENT_STUCK_READ);
  be_slow_once(rig, EQUIPMENT_SLOW);
  if (!leak_while(rig, EQUIPMENT_LEAK)) return TRESTLE_ADAPTER_TRIPPED;
  rig->known = 0;
  listen_for_reports(rig);
  if (atomic_load(&rig->gone)) return TRESTLE_ADAPTER_TRIPPED;
  if (!rig->any) return TRESTLE_ADAPTER_LATE;
  if (rig->newest.status != 0) return TRESTLE_ADAPTER_TRIPPED;
  /* Two reads within a millisecond see the same report; an old one is none. */
  const int64_t age = host_ns() - rig->newest.host_ns;
  if (rig->newest.sequence == rig->used && age > 20000000) {
    /* On a busy host: the levels are of this report as long as readings may be late. */
    if (age < 200000000) rig->known = rig->newest.known;
    return TRESTLE_ADAPTER_LATE;
  }
  rig->used = rig->newest.sequence;
  rig->known = rig->newest.known;
  sensed->measured_at_ns = now_ns - (age > 0 ? age : 0);
  for (uint32_t i = 0; i < rig->actuators; ++i) {
    sensed->displacement[i] = rig->newest.displacement[i];
    sensed->force[i] = rig->newest.force[i];
    if (sensed->auxiliary != NULL) sensed->auxiliary[i] = rig->newest.drive[i];
  }
  return TRESTLE_ADAPTER_OK;
}

static trestle_adapter_status write_rig(void* rig_, const double* drive) {
  struct equipment* const rig = rig_;
  const uint32_t epoch = atomic_load(&rig->epoch);
  double taken[EQUIPMENT_MOST];
  for (uint32_t i = 0; i < rig->actuators; ++i) taken[i] = drive[i];
  stay_while(rig, EQUIPMENT_STUCK_WRITE);
  return tell(rig, EQUIPMENT_FOLLOW, epoch, taken);
}

static void hold(void* rig_) {
  struct equipment* const rig = rig_;
  const uint32_t epoch = atomic_fetch_add(&rig->epoch, 1) + 1;
  stay_while(rig, EQUIPMENT_STUCK_HOLD);
  tell(rig, EQUIPMENT_HOLD, epoch, NULL);
}

static void stop(void* rig_) {
  struct equipment* const rig = rig_;
  const uint32_t epoch = atomic_fetch_add(&rig->epoch, 1) + 1;
  tell(rig, EQUIPMENT_LEAVE, epoch, NULL);
}

static void count(void* rig_, uint32_t* inputs, uint32_t* outputs) {
  const struct equipment* const rig = rig_;
  *inputs = rig->contacts ? 4 : 0;
  *outputs = rig->contacts ? 2 : 0;
}

static void inputs(void* rig_, trestle_inputs* said) {
  const struct equipment* const rig = rig_;
  said->known = rig->known & 15u;
  said->closed = rig->newest.closed & said->known;
}

static void set_outputs(void* rig_, uint32_t closed) {
  struct equipment* const rig = rig_;
  if (rig->contacts)
    tell_of(rig, EQUIPMENT_OUTPUTS, atomic_load(&rig->epoch), NULL, closed & 3u);
}

static void diagnose(void* rig_, char* text, uint32_t text_size) {
  static const char* const interlocks[] = {"emergency stop",
                                           "watchdog: no command for too long", "force",
                                           "stroke", "oil supply"};
  const struct equipment* const rig = rig_;
  if (text_size == 0) return;
  const char* said =
      atomic_load(&rig->gone) ? "the equipment is gone" : "the equipment is well";
  for (uint32_t i = 0; !rig->gone && i < 5; ++i)
    if ((rig->newest.status >> i & 1u) != 0) {
      said = interlocks[i];
      break;
    }
  strncpy(text, said, text_size - 1);
  text[text_size - 1] = '\0';
}

__attribute__((visibility("default"))) const trestle_adapter_v1* trestle_site_adapter_v1(
    void) {
  static const trestle_contacts_v1 contacts = {sizeof(trestle_contacts_v1), 0, count,
                                               inputs, set_outputs};
  static const trestle_adapter_v1 table = {
      TRESTLE_SITE_ADAPTER_ABI,
      sizeof(trestle_adapter_v1),
      take,
      describe,
      describe_channel,
      prepare,
      read_rig,
      write_rig,
      hold,
      stop,
      diagnose,
      NULL,
      NULL,
      give_back,
      &contacts,
  };
  return &table;
}
