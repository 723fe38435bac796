#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/types/record.h"

namespace trestle::exports {

/// A table of numbers, column by column, with texts beside them and facts about all.
struct NumberTable {
  std::string name;  ///< of the group or structure: "result"
  Channels columns;
  std::vector<std::vector<double>> values;  ///< per column, one per row; NaN: none
  std::vector<std::pair<std::string, std::vector<std::string>>> texts;  ///< columns of text
  std::vector<std::pair<std::string, std::string>> facts;
};

/// CSV without the texts and facts; an empty cell for a missing value.
/// @throws std::runtime_error with one sentence, each of them; no partial file is left
void write_table_csv(const NumberTable& table, const std::string& file);
/// HDF5, a group with a dataset per column; the facts are attributes of the root.
void write_table_hdf5(const NumberTable& table, const std::string& file);
/// A MATLAB file, a structure with a field per column; the facts are `meta`.
void write_table_mat(const NumberTable& table, const std::string& file);

}  // namespace trestle::exports
