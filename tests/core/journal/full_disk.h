#pragma once

#include <signal.h>
#include <sys/resource.h>

namespace trestle::testing {

/// No file of this process can be written, for the life of this object: the system refuses
/// it as a full disk does, to root too. Expect nothing meanwhile: a report may be a file.
class FullDisk {
 public:
  FullDisk() : before_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit none{.rlim_cur = 0, .rlim_max = limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &none);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    ::signal(SIGXFSZ, before_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*before_)(int);
  rlimit limit_{};
};

}  // namespace trestle::testing
