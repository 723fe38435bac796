#include "studies/cluster/mpi_ring.h"

#include <dlfcn.h>

#include <array>
#include <filesystem>
#include <stdexcept>

namespace trestle::cluster {
namespace {

constexpr int kModuleVersion = 1;
constexpr const char* kBuildTheModule =
    "build it with the MPI of the launcher: mpicxx -O2 -shared -fPIC trestle_mpi.cc -o "
    "trestle_mpi.so (the source is in share/trestle/mpi), and set TRESTLE_MPI to its path";

template <typename Function>
void find_function(void* module, const char* name, Function& function,
                   const std::string& file) {
  function = reinterpret_cast<Function>(dlsym(module, name));
  if (function == nullptr)
    throw std::runtime_error(file + " has no function " + name +
                             ", so it is no module for MPI; " + kBuildTheModule);
}

void require_same(const char* what, int in_mpi, const std::optional<int>& said,
                  const std::string& variable) {
  if (!said || *said == in_mpi) return;
  throw std::runtime_error(
      std::string("the ") + what + " is " + std::to_string(in_mpi) + " in MPI and " +
      std::to_string(*said) + " by the launcher (" + variable +
      "): the module is of another MPI than the launcher's; " + kBuildTheModule);
}

}  // namespace

/// Of studies/cluster/trestle_mpi.cc.
struct MpiRing::Functions {
  int (*version)();
  int (*open)(int* rank, int* size, char* why, int room);
  void (*send)(int to, const void* bytes, int count);
  int (*probe)(int* from, int* count);
  int (*receive)(int from, void* bytes, int count);
  int (*sending)();
  void (*close)();
};

std::string bundled_mpi_module() {
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  const fs::path installed = program / TRESTLE_MODULE_FOLDER / "mpi/trestle_mpi.so";
  const fs::path built = program / "../studies/cluster/trestle_mpi.so";
  return (fs::exists(built, unknown) ? built : installed).lexically_normal().string();
}

MpiRing::MpiRing(const std::string& module, const Launch& launch)
    : mpi_(std::make_unique<Functions>()) {
  const std::string file =
      std::filesystem::absolute(module.empty() ? bundled_mpi_module() : module).string();
  const std::string found =
      launch.variable + " is set, so a launcher of MPI started this, ";
  if (!std::filesystem::exists(file))
    throw std::runtime_error(found + "but the module " + file + " is not there; " +
                             kBuildTheModule);
  // MPI never leaves a process, so the module stays loaded.
  void* const loaded = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (loaded == nullptr) {
    const char* const why = dlerror();  // NOLINT(concurrency-mt-unsafe): one per thread
    throw std::runtime_error(found + "but the module cannot be loaded: " +
                             (why != nullptr ? why : file.c_str()) + "; " +
                             kBuildTheModule);
  }
  find_function(loaded, "trestle_mpi_version", mpi_->version, file);
  find_function(loaded, "trestle_mpi_open", mpi_->open, file);
  find_function(loaded, "trestle_mpi_send", mpi_->send, file);
  find_function(loaded, "trestle_mpi_probe", mpi_->probe, file);
  find_function(loaded, "trestle_mpi_receive", mpi_->receive, file);
  find_function(loaded, "trestle_mpi_sending", mpi_->sending, file);
  find_function(loaded, "trestle_mpi_close", mpi_->close, file);
  if (mpi_->version() != kModuleVersion)
    throw std::runtime_error(file + " is of version " + std::to_string(mpi_->version()) +
                             " of the module, this program has version 1; " +
                             kBuildTheModule);
  std::array<char, 300> why{};
  if (mpi_->open(&rank_, &size_, why.data(), static_cast<int>(why.size())) != 0)
    throw std::runtime_error("MPI does not start: " + std::string(why.data()));
  require_same("number of ranks", size_, launch.size, launch.variable);
  require_same("rank", rank_, launch.rank, launch.variable);
}

MpiRing::~MpiRing() = default;

void MpiRing::send(int to, std::string bytes) {
  mpi_->send(to, bytes.data(), static_cast<int>(bytes.size()));
}

std::optional<RingMessage> MpiRing::poll() {
  RingMessage message;
  int count = 0;
  if (mpi_->probe(&message.from, &count) <= 0) return std::nullopt;
  message.bytes.resize(static_cast<std::size_t>(count));
  if (mpi_->receive(message.from, message.bytes.data(), count) != 0) return std::nullopt;
  return message;
}

bool MpiRing::all_sent() {
  return mpi_->sending() == 0;
}

void MpiRing::close() {
  mpi_->close();
}

}  // namespace trestle::cluster
