#pragma once

#include "adapters/driver/driver_page.h"
#include "core/base/file_descriptor.h"

namespace trestle::driver {

/// The page in this process: mapped, its memory locked if the host allows it, until this
/// object ends.
class SharedPage {
 public:
  /// Makes a new page, whose size nobody can change.
  /// @throws std::runtime_error
  SharedPage();
  /// Maps the page that another process made.
  /// @throws std::runtime_error  it is none of this version, or its size could change
  explicit SharedPage(FileDescriptor memory);
  ~SharedPage();
  SharedPage(const SharedPage&) = delete;
  SharedPage& operator=(const SharedPage&) = delete;

  DriverPage& page() noexcept { return *page_; }
  /// To give to the other process.
  int memory() const noexcept { return memory_.number(); }

 private:
  void map();

  FileDescriptor memory_;
  DriverPage* page_ = nullptr;
};

}  // namespace trestle::driver
