#include "studies/lanes/lane_library.h"

#include <dlfcn.h>

#include <filesystem>

namespace trestle::lanes {
namespace {

struct Module {
  const char* file;
  const char* instruction_set;
  int lanes;
  bool runs_here;
};

bool has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") != 0;
#else
  return false;
#endif
}

bool has_avx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0 &&
         __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0;
#else
  return false;
#endif
}

/// Beside the program as it is installed or built; a test is built in a deeper folder.
std::string find_module(const char* file) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  for (fs::path folder = program; folder.has_relative_path(); folder = folder.parent_path())
    if (const fs::path built = folder / "studies/lanes" / file; fs::exists(built, unknown))
      return built.string();
  const fs::path installed = (program / TRESTLE_MODULE_FOLDER / file).lexically_normal();
  return fs::exists(installed, unknown) ? installed.string() : std::string();
}

template <typename Function>
Function* function_of(void* module, const char* name) {
  return reinterpret_cast<Function*>(dlsym(module, name));
}

}  // namespace

std::unique_ptr<const LaneLibrary> LaneLibrary::load(std::optional<int> lanes,
                                                     std::string& why) {
  const Module modules[] = {{"trestle_lanes_v4.so", "AVX-512", 8, has_avx512()},
                            {"trestle_lanes_v3.so", "AVX2", 4, has_avx2()}};
  why = lanes ? "this processor computes no batch of " + std::to_string(*lanes) + " lanes"
              : "this processor has neither AVX-512 nor AVX2";
  for (const Module& module : modules) {
    if (!module.runs_here || (lanes && *lanes != module.lanes)) continue;
    const std::string file = find_module(module.file);
    if (file.empty()) {
      why = std::string("the module ") + module.file + " is not installed";
      continue;
    }
    void* const loaded = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (loaded == nullptr) {
      const char* const error = dlerror();  // NOLINT(concurrency-mt-unsafe): one per thread
      why = "the module cannot be loaded: " + (error != nullptr ? error : file);
      continue;
    }
    auto* const version = function_of<LaneVersion>(loaded, "trestle_lanes_version");
    auto* const count = function_of<LaneCount>(loaded, "trestle_lanes_count");
    auto* const run = function_of<LaneRun>(loaded, "trestle_lanes_run");
    if (version == nullptr || count == nullptr || run == nullptr ||
        version() != kLaneModuleVersion || count() != module.lanes) {
      why = file + " is a module of another version of this program";
      continue;
    }
    why.clear();
    return std::unique_ptr<const LaneLibrary>(
        new LaneLibrary(module.lanes, module.instruction_set, run));
  }
  return nullptr;
}

}  // namespace trestle::lanes
