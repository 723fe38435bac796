#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "adapters/driver/hello.h"
#include "adapters/driver/shared_page.h"
#include "adapters/driver_program/driver_log.h"
#include "adapters/driver_program/hold_keeper.h"
#include "adapters/driver_program/output_keeper.h"
#include "adapters/driver_program/rig_worker.h"
#include "adapters/plugin/adapter_loader.h"
#include "core/base/file_descriptor.h"
#include "core/host/crash_handler.h"

namespace trestle::driver_program {

/// The life of a driver: opens the rig for the site that started it, lets one site at a
/// time have it, holds it when that site dies, and keeps it for the next one.
class DriverServer {
 public:
  /// @param folder  where sites of this rig look for it
  /// @param site    connection of the site that started it
  DriverServer(std::string folder, FileDescriptor site);

  /// @returns the exit code
  int run();

 private:
  enum class Opening { kUnderWay, kReturned, kGivenUp };

  bool take_folder();
  bool open_rig();
  void call_open(char* why) noexcept;
  void watch_opening() noexcept;
  void start();
  [[noreturn]] void watch_site() noexcept;
  void serve_site();
  bool has_answered();
  void meet();
  void site_is_gone();
  [[noreturn]] void leave(bool stops) noexcept;

  std::string folder_;
  FileDescriptor lock_;
  FileDescriptor signals_;
  FileDescriptor listener_;
  FileDescriptor site_;
  driver::Hello hello_;
  std::unique_ptr<DriverLog> log_;
  std::unique_ptr<plugin::LoadedAdapter> plugin_;
  std::atomic<Opening> opening_{Opening::kUnderWay};
  void* rig_ = nullptr;
  driver::SharedPage shared_;
  std::atomic<bool> site_has_died_{false};
  std::unique_ptr<HoldKeeper> keeper_;
  std::unique_ptr<OutputKeeper> outputs_;
  std::unique_ptr<RigWorker> worker_;
  std::unique_ptr<host::CrashHandler> last_words_;
};

}  // namespace trestle::driver_program
