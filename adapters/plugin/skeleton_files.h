#pragma once

#include <string>
#include <vector>

namespace trestle::plugin {

struct SkeletonFile {
  std::string name;
  std::string text;
};

/// The files in adapters/plugin/skeleton/, as they were when the program was built.
const std::vector<SkeletonFile>& skeleton_files();

}  // namespace trestle::plugin
