#pragma once

#include <string>

namespace trestle::composition {

/// A test as `effective.yaml` states it, to be compared with those of earlier runs.
struct EffectiveTest {
  std::string yaml;
  std::string software;  ///< version of this program
};

/// Returns true if this test was begun in the folder and interrupted, and no living process
/// runs it.
bool holds_interrupted_run(const std::string& folder, const EffectiveTest& test);

/// Finds, of the folders that runs of this name have by default (new_run_folder), the
/// newest that holds an interrupted run of the test. @returns empty: none
std::string find_interrupted_run(const std::string& name, const EffectiveTest& test);

}  // namespace trestle::composition
