// Preloaded by `trestle adapter check`: sees what a plug-in calls between
// trestle_probe_begin() and trestle_probe_end() on the same thread that rule R11 forbids:
// the heap, sleeps, locks, files, and sockets that wait. All calls are carried out.
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <ctime>

#define EXPORTED extern "C" __attribute__((visibility("default")))

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the C library's
// names
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}

namespace {

__attribute__((tls_model("initial-exec"))) thread_local bool watching = false;
__attribute__((tls_model("initial-exec"))) thread_local const char* first = nullptr;

void forbidden(const char* name) noexcept {
  if (watching && first == nullptr) first = name;
}

/// The original function; looked up once, before the probe is active.
template <typename Function>
Function* next(const char* name) noexcept {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// Returns true if calls on the descriptor may block.
bool waits(int descriptor, int flags = 0) noexcept {
  if (!watching || (flags & MSG_DONTWAIT) != 0) return false;
  const int status = fcntl(descriptor, F_GETFL);
  return status >= 0 && (status & O_NONBLOCK) == 0;
}

}  // namespace

EXPORTED void trestle_probe_begin() {
  first = nullptr;
  watching = true;
}
EXPORTED const char* trestle_probe_end() {
  watching = false;
  return first;
}

EXPORTED void* malloc(std::size_t size) {
  forbidden("malloc");
  return __libc_malloc(size);
}
EXPORTED void* calloc(std::size_t count, std::size_t size) {
  forbidden("calloc");
  return __libc_calloc(count, size);
}
EXPORTED void* realloc(void* old, std::size_t size) {
  forbidden("realloc");
  return __libc_realloc(old, size);
}
EXPORTED void* aligned_alloc(std::size_t alignment, std::size_t size) {
  forbidden("aligned_alloc");
  return __libc_memalign(alignment, size);
}
EXPORTED int posix_memalign(void** made, std::size_t alignment, std::size_t size) {
  forbidden("posix_memalign");
  *made = __libc_memalign(alignment, size);
  return *made == nullptr ? 12 : 0;
}
EXPORTED void free(void* old) {
  if (old != nullptr) forbidden("free");
  __libc_free(old);
}

// NOLINTBEGIN(readability-identifier-naming): names of the C library
#define PASSED_ON(result, name, parameters, arguments, condition) \
  EXPORTED result name parameters {                               \
    static auto* const real = next<result parameters>(#name);     \
    if (condition) forbidden(#name);                              \
    return real arguments;                                        \
  }

PASSED_ON(int, nanosleep, (const timespec* time, timespec* left), (time, left), true)
PASSED_ON(int, clock_nanosleep,
          (clockid_t clock, int flags, const timespec* time, timespec* left),
          (clock, flags, time, left), true)
PASSED_ON(int, usleep, (useconds_t time), (time), true)
PASSED_ON(unsigned, sleep, (unsigned time), (time), true)
PASSED_ON(int, pthread_mutex_lock, (pthread_mutex_t * mutex), (mutex), true)
PASSED_ON(int, pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t* mutex),
          (condition, mutex), true)
PASSED_ON(FILE*, fopen, (const char* path, const char* mode), (path, mode), true)
PASSED_ON(int, fflush, (FILE * file), (file), true)
PASSED_ON(int, puts, (const char* text), (text), true)
PASSED_ON(std::size_t, fwrite,
          (const void* from, std::size_t size, std::size_t count, FILE* file),
          (from, size, count, file), true)
PASSED_ON(int, poll, (pollfd * sockets, nfds_t count, int timeout),
          (sockets, count, timeout), timeout != 0)
PASSED_ON(int, epoll_wait, (int poll, epoll_event* events, int most, int timeout),
          (poll, events, most, timeout), timeout != 0)
PASSED_ON(int, select, (int most, fd_set* in, fd_set* out, fd_set* odd, timeval* timeout),
          (most, in, out, odd, timeout),
          timeout == nullptr || timeout->tv_sec != 0 || timeout->tv_usec != 0)
PASSED_ON(ssize_t, read, (int descriptor, void* into, std::size_t size),
          (descriptor, into, size), waits(descriptor))
PASSED_ON(ssize_t, write, (int descriptor, const void* from, std::size_t size),
          (descriptor, from, size), waits(descriptor))
PASSED_ON(ssize_t, recv, (int descriptor, void* into, std::size_t size, int flags),
          (descriptor, into, size, flags), waits(descriptor, flags))
PASSED_ON(ssize_t, recvfrom,
          (int descriptor, void* into, std::size_t size, int flags, sockaddr* from,
           socklen_t* length),
          (descriptor, into, size, flags, from, length), waits(descriptor, flags))
PASSED_ON(ssize_t, send, (int descriptor, const void* from, std::size_t size, int flags),
          (descriptor, from, size, flags), waits(descriptor, flags))
PASSED_ON(ssize_t, sendto,
          (int descriptor, const void* from, std::size_t size, int flags,
           const sockaddr* to, socklen_t length),
          (descriptor, from, size, flags, to, length), waits(descriptor, flags))
// NOLINTEND(readability-identifier-naming)
