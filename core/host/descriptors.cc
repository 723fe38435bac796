#include "core/host/descriptors.h"

#include <sys/resource.h>

#include <algorithm>

namespace trestle::host {

std::size_t raise_descriptor_limit(std::size_t wanted) noexcept {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  const rlim_t most = std::min<rlim_t>(limit.rlim_max, wanted);
  if (most > limit.rlim_cur) {
    rlimit raised = limit;
    raised.rlim_cur = most;
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return static_cast<std::size_t>(limit.rlim_cur);
}

}  // namespace trestle::host
