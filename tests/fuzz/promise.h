#pragma once

#include <cstdio>
#include <cstdlib>

namespace trestle::fuzz {

/// What must hold whatever the bytes were; else the fuzzer has found something.
inline void promise(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

}  // namespace trestle::fuzz
