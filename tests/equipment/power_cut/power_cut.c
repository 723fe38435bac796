/* Preloaded into a program it keeps, beside a tree of files, what of the tree a loss of power would
 * leave: of each file the content of its last fsync, of each folder the names of its last fsync.
 * power_cut.py makes that tree come true. Nothing is done to the files themselves.
 *
 *   POWER_CUT_ROOT     the tree that is watched
 *   POWER_CUT_SHADOW   where what lasts is kept: id/<inode>, file/<id>, folder/<id>, next
 *   POWER_CUT_BOOT_ID  a file that is read in place of the kernel's boot_id
 *
 * As on the journalling file systems of Linux a synced folder has its own name in its parents for
 * good. Stricter than most of them: a synced file has no name until its folder is synced. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* root;
static const char* shadow;
static const char* boot_id;

static int (*real_open)(const char*, int, ...);
static int (*real_openat)(int, const char*, int, ...);
static FILE* (*real_fopen)(const char*, const char*);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_msync)(void*, size_t, int);
static int (*real_mkdir)(const char*, mode_t);

__attribute__((constructor)) static void begin(void) {
  if (real_open != NULL) return;
  *(void**)&real_open = dlsym(RTLD_NEXT, "open");
  *(void**)&real_openat = dlsym(RTLD_NEXT, "openat");
  *(void**)&real_fopen = dlsym(RTLD_NEXT, "fopen");
  *(void**)&real_fsync = dlsym(RTLD_NEXT, "fsync");
  *(void**)&real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  *(void**)&real_msync = dlsym(RTLD_NEXT, "msync");
  *(void**)&real_mkdir = dlsym(RTLD_NEXT, "mkdir");
  root = getenv("POWER_CUT_ROOT");
  shadow = getenv("POWER_CUT_SHADOW");
  boot_id = getenv("POWER_CUT_BOOT_ID");
  if (root == NULL || shadow == NULL) root = shadow = NULL;
}

static int watched(const char* path) {
  if (root == NULL) return 0;
  const size_t length = strlen(root);
  return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static int lock_shadow(void) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/lock", shadow);
  const int file = real_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) flock(file, LOCK_EX);
  return file;
}

static long number_in(const char* path) {
  char text[32] = "";
  const int file = real_open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  return got > 0 ? atol(text) : 0;
}

/* Whole or not at all. */
static void put(const char* path, const char* bytes, size_t size) {
  char draft[PATH_MAX + 8];
  snprintf(draft, sizeof draft, "%s.new", path);
  const int file = real_open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return;
  size_t done = 0;
  while (done < size) {
    const ssize_t wrote = write(file, bytes + done, size - done);
    if (wrote <= 0) break;
    done += (size_t)wrote;
  }
  close(file);
  rename(draft, path);
}

static void put_number(const char* path, long number) {
  char text[32];
  put(path, text, (size_t)snprintf(text, sizeof text, "%ld", number));
}

/* Inodes are used again: a new file gets a separate number. */
static long id_of(ino_t inode, int anew) {
  char path[PATH_MAX], next[PATH_MAX];
  snprintf(path, sizeof path, "%s/id/%lu", shadow, (unsigned long)inode);
  long id = anew ? 0 : number_in(path);
  if (id != 0) return id;
  snprintf(next, sizeof next, "%s/next", shadow);
  id = number_in(next) + 1;
  put_number(next, id);
  put_number(path, id);
  return id;
}

static void keep_file(int file, long id) {
  struct stat is;
  char path[PATH_MAX];
  if (fstat(file, &is) != 0) return;
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  const int from = real_open(path, O_RDONLY | O_CLOEXEC);  /* `file` may be for writing alone */
  if (from < 0) return;
  char* const bytes = malloc((size_t)is.st_size + 1);
  size_t done = 0;
  while (bytes != NULL && done < (size_t)is.st_size) {
    const ssize_t got = pread(from, bytes + done, (size_t)is.st_size - done, (off_t)done);
    if (got <= 0) break;
    done += (size_t)got;
  }
  close(from);
  snprintf(path, sizeof path, "%s/file/%ld", shadow, id);
  if (bytes != NULL) put(path, bytes, done);
  free(bytes);
}

static void keep_folder(const char* folder, const char* only) {
  struct stat is;
  char path[PATH_MAX];
  if (stat(folder, &is) != 0) return;
  snprintf(path, sizeof path, "%s/folder/%ld", shadow, id_of(is.st_ino, 0));
  char* text = NULL;
  size_t size = 0;
  FILE* const names = open_memstream(&text, &size);
  if (only != NULL) { /* what lasts already, and this name */
    FILE* const before = real_fopen(path, "r");
    char line[PATH_MAX];
    while (before != NULL && fgets(line, sizeof line, before) != NULL) {
      char* const name = strchr(line + 2, ' ');
      if (name == NULL || (strncmp(name + 1, only, strlen(only)) == 0 &&
                           strcmp(name + 1 + strlen(only), "\n") == 0))
        continue;
      fputs(line, names);
    }
    if (before != NULL) fclose(before);
  }
  DIR* const open_folder = opendir(folder);
  for (struct dirent* entry; open_folder != NULL && (entry = readdir(open_folder)) != NULL;) {
    char name[PATH_MAX];
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (only != NULL && strcmp(entry->d_name, only) != 0) continue;
    snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
    if (lstat(name, &is) != 0 || (!S_ISREG(is.st_mode) && !S_ISDIR(is.st_mode))) continue;
    fprintf(names, "%c %ld %s\n", S_ISDIR(is.st_mode) ? 'd' : 'f', id_of(is.st_ino, 0),
            entry->d_name);
  }
  if (open_folder != NULL) closedir(open_folder);
  fclose(names);
  put(path, text, size);
  free(text);
}

static void keep(int file) {
  char path[PATH_MAX], link[64];
  struct stat is;
  const int before = errno;
  if (root == NULL || fstat(file, &is) != 0) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return;
  path[length] = '\0';
  if (!watched(path)) return;
  const int lock = lock_shadow();
  if (S_ISREG(is.st_mode)) {
    keep_file(file, id_of(is.st_ino, 0));
  } else if (S_ISDIR(is.st_mode)) {
    keep_folder(path, NULL);
    while (strcmp(path, root) != 0) {
      char* const slash = strrchr(path, '/');
      if (slash == NULL) break;
      *slash = '\0';
      if (!watched(path)) break;
      keep_folder(path, slash + 1);
    }
  }
  if (lock >= 0) close(lock);
  errno = before;
}

static void made(const char* path, int at) {
  struct stat is;
  char whole[PATH_MAX];
  const int before = errno;
  if (root == NULL) return;
  if ((at >= 0 ? fstat(at, &is) : stat(path, &is)) != 0) return;
  if (realpath(path, whole) == NULL || !watched(whole)) return;
  const int lock = lock_shadow();
  id_of(is.st_ino, 1);
  if (lock >= 0) close(lock);
  errno = before;
}

static const char* instead_of(const char* path) {
  return boot_id != NULL && strcmp(path, "/proc/sys/kernel/random/boot_id") == 0 ? boot_id
                                                                                  : path;
}

static int open_watched(const char* path, int flags, mode_t mode) {
  begin();
  const int is_new = root != NULL && (flags & O_CREAT) != 0 && access(path, F_OK) != 0;
  const int file = real_open(instead_of(path), flags, mode);
  if (file >= 0 && is_new) made(path, file);
  return file;
}

#define MODE_OF(flags)                                  \
  mode_t mode = 0;                                      \
  if (((flags) & (O_CREAT | __O_TMPFILE)) != 0) {       \
    va_list more;                                       \
    va_start(more, flags);                              \
    mode = va_arg(more, mode_t);                        \
    va_end(more);                                       \
  }

int open(const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_watched(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  MODE_OF(flags)
  return open_watched(path, flags | O_LARGEFILE, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  MODE_OF(flags)
  begin();
  if (folder == AT_FDCWD || path[0] == '/') return open_watched(path, flags, mode);
  return real_openat(folder, path, flags, mode);
}

static FILE* fopen_watched(const char* path, const char* how) {
  begin();
  const int is_new = root != NULL && how[0] != 'r' && access(path, F_OK) != 0;
  FILE* const file = real_fopen(instead_of(path), how);
  if (file != NULL && is_new) made(path, fileno(file));
  return file;
}

FILE* fopen(const char* path, const char* how) { return fopen_watched(path, how); }
FILE* fopen64(const char* path, const char* how) { return fopen_watched(path, how); }

int mkdir(const char* path, mode_t mode) {
  begin();
  const int code = real_mkdir(path, mode);
  if (code == 0) made(path, -1);
  return code;
}

int fsync(int file) {
  begin();
  const int code = real_fsync(file);
  if (code == 0) keep(file);
  return code;
}

int fdatasync(int file) {
  begin();
  const int code = real_fdatasync(file);
  if (code == 0) keep(file);
  return code;
}

/* More lasts than the pages that were asked for: the whole file does. */
int msync(void* from, size_t size, int flags) {
  begin();
  const int code = real_msync(from, size, flags);
  if (code != 0 || root == NULL || (flags & MS_SYNC) == 0) return code;
  FILE* const maps = real_fopen("/proc/self/maps", "r");
  char line[PATH_MAX + 100];
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    unsigned long first = 0, last = 0;
    char* const path = strchr(line, '/');
    if (sscanf(line, "%lx-%lx", &first, &last) != 2 || path == NULL) continue;
    if ((unsigned long)from < first || (unsigned long)from >= last) continue;
    path[strcspn(path, "\n")] = '\0';
    const int file = real_open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
      keep(file);
      close(file);
    }
    break;
  }
  if (maps != NULL) fclose(maps);
  return code;
}
