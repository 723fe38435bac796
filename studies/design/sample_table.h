#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace trestle::design {

/// Numbers drawn elsewhere, one column per parameter.
struct SampleTable {
  std::vector<std::string> units;         ///< of each parameter, as they stand; empty: none
  std::vector<std::vector<double>> rows;  ///< as they stand, before their units
};

/// Reads CSV: a head with the names of all parameters in any order, a unit in brackets
/// behind a name (`delay [ms]`), then one row per run. A column `run` may count the rows
/// from 1.
///
/// @returns the columns in the order of the names, or a sentence that begins with the file
///          and names a column that is missing, there twice, or of no parameter
Result<SampleTable> read_sample_table(const std::string& file,
                                      const std::vector<std::string>& names);

}  // namespace trestle::design
