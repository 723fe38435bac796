/* Preloaded into a program it is a disk that does not return: a sync of a file whose path contains
 * HANGING_DISK_OF waits as long as the file HANGING_DISK_WHILE is there. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void wait_for_the_disk(int file) {
  const char* part = getenv("HANGING_DISK_OF");
  const char* hangs = getenv("HANGING_DISK_WHILE");
  if (part == NULL || hangs == NULL) return;
  char link[64];
  char path[PATH_MAX + 1];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, PATH_MAX);
  if (length < 0) return;
  path[length] = '\0';
  if (strstr(path, part) == NULL) return;
  const struct timespec glance = {0, 1000000};
  while (access(hangs, F_OK) == 0) nanosleep(&glance, NULL);
}

static int sync_by(const char* name, int file) {
  int (*real)(int);
  *(void**)&real = dlsym(RTLD_NEXT, name);
  wait_for_the_disk(file);
  return real(file);
}

int fsync(int file) {
  return sync_by("fsync", file);
}

int fdatasync(int file) {
  return sync_by("fdatasync", file);
}
