#pragma once

#include <array>

namespace trestle::record {

/// One account of a step's time: from one stamp of the ledger to the next
/// (docs/reference/journal-format.md).
struct LedgerAccount {
  const char* name;
  const char* from;  ///< a name of LedgerColumns::names(), without its `_ns`
  const char* to;
};

inline constexpr std::array<LedgerAccount, 11> kLedgerAccounts{{{"compute", "i0", "i1"},
                                                                {"journal", "i1", "ir"},
                                                                {"encode", "ir", "i2"},
                                                                {"uplink", "i2", "s1"},
                                                                {"wait", "s1", "s2"},
                                                                {"control", "s2", "s3"},
                                                                {"actuation", "s3", "s4"},
                                                                {"reply", "s4", "s5"},
                                                                {"downlink", "s5", "i3"},
                                                                {"join", "i3", "ij"},
                                                                {"correct", "ij", "i4"}}};

}  // namespace trestle::record
