/* What the plug-in and the emulator say to each other over a SEQPACKET Unix socket, and the
 * page of faults that both map. Plain C; nothing of the product. */
#ifndef EQUIPMENT_WIRE_H
#define EQUIPMENT_WIRE_H

#include <stdint.h>

#define EQUIPMENT_MOST 4u
#define EQUIPMENT_ORDER_MAGIC 0x51520001u
#define EQUIPMENT_REPORT_MAGIC 0x51520002u

enum {
  EQUIPMENT_IDLE = 0,
  EQUIPMENT_FOLLOW = 1,
  EQUIPMENT_HOLD = 2,
  EQUIPMENT_LEAVE = 3,
  EQUIPMENT_OUTPUTS = 4 /* `count` has a bit of each digital output; no order to the rams */
};

/* Plug-in to emulator. */
struct equipment_order {
  uint32_t magic;
  uint32_t kind;
  uint64_t sequence; /* counts the orders of one connection, from 1 */
  uint32_t epoch;    /* how many holds had been asked when this order was begun */
  uint32_t count;
  double drive[EQUIPMENT_MOST]; /* [m] */
};

/* Emulator to plug-in, every millisecond. */
struct equipment_report {
  uint32_t magic;
  uint32_t status; /* interlocks that are open, 0: well */
  uint64_t sequence;
  uint64_t echo;   /* last order that was heard */
  int64_t host_ns; /* CLOCK_MONOTONIC of the host when it was measured */
  double displacement[EQUIPMENT_MOST];
  double force[EQUIPMENT_MOST];
  double drive[EQUIPMENT_MOST]; /* the drive in force at the controller */
  uint32_t known;  /* digital inputs of the site, a bit each: estop, pressure, cage, */
  uint32_t closed; /* amplifier_ready */
};

/* Bits of equipment_page.stuck: the plug-in does not come back from there while they stand.
 */
enum {
  EQUIPMENT_STUCK_READ = 1,
  EQUIPMENT_STUCK_WRITE = 2,
  EQUIPMENT_STUCK_HOLD = 4,
  EQUIPMENT_LEAK = 8, /* read() takes memory until it gets none */
  EQUIPMENT_SLOW = 16 /* one read() takes a control tick more; then the bit falls */
};

/* A file of this layout, SOCKET.page, mapped by both. */
struct equipment_page {
  uint32_t magic;
  uint32_t stuck;  /* set by whoever asks for the fault */
  uint32_t inside; /* counted up by the plug-in each time that it gets stuck */
  uint32_t reserved;
};

#endif
