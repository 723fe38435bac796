#include "core/host/freed_memory.h"

#include <malloc.h>

namespace trestle::host {

void keep_freed_memory() noexcept {
  constexpr int kNever = 1 << 30;       // [bytes] that lie free before they are given back
  constexpr int kOwnMapping = 1 << 25;  // the largest that glibc takes
  mallopt(M_TRIM_THRESHOLD, kNever);
  mallopt(M_MMAP_THRESHOLD, kOwnMapping);
}

}  // namespace trestle::host
