#pragma once

#include <string>
#include <vector>

#include "core/math/state_space.h"
#include "core/math/zeros_poles_gain.h"

namespace trestle::math {

/// One entry of a transfer matrix: from the input to the output, both counted from 0.
struct TransferEntry {
  int output = 0;
  int input = 0;
  ZerosPolesGain transfer;
};

/// Entries that are not given are zero. Those of one column that have the same poles (to
/// 1e-9 of their size) share one set of states, every other one has its own; entries from
/// one servo loop so give no more states than the loop has.
/// @param paths  of the entries, one each
/// @throws SettingError as for one entry, and for an entry outside the matrix or given
/// twice
StateSpace realise(const std::vector<TransferEntry>& entries, int outputs, int inputs,
                   const std::vector<std::string>& paths);

}  // namespace trestle::math
