#pragma once

#include "core/base/snapshot.h"
#include "core/types/fault.h"

namespace trestle::safety {

inline void save(const Fault& fault, SnapshotWriter& snapshot) {
  snapshot.add(static_cast<double>(fault.kind));
  snapshot.add(static_cast<double>(fault.index));
  snapshot.add(fault.value);
  snapshot.add(fault.limit);
}

inline void restore(Fault& fault, SnapshotReader& snapshot) {
  fault.kind = static_cast<FaultKind>(snapshot.next());
  fault.index = static_cast<int>(snapshot.next());
  fault.value = snapshot.next();
  fault.limit = snapshot.next();
}

}  // namespace trestle::safety
