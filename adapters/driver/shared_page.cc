#include "adapters/driver/shared_page.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace trestle::driver {
namespace {

// A page that shrinks would end its reader by SIGBUS.
constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

std::runtime_error no_page(const std::string& what) {
  return std::runtime_error("the memory that site and driver share " + what + " (" +
                            std::generic_category().message(errno) + ")");
}

std::runtime_error of_another_version() {
  return std::runtime_error(
      "the memory that the driver offers is not a page of this version; end the driver, "
      "and start the site again");
}

}  // namespace

SharedPage::SharedPage()
    : memory_(memfd_create("trestle-driver", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  if (!memory_ || ftruncate(memory_.number(), sizeof(DriverPage)) != 0 ||
      fcntl(memory_.number(), F_ADD_SEALS, kSeals) != 0)
    throw no_page("cannot be made");
  map();
  new (page_) DriverPage;
}

SharedPage::SharedPage(FileDescriptor memory) : memory_(std::move(memory)) {
  struct stat is {};
  if (fstat(memory_.number(), &is) != 0 || is.st_size != sizeof(DriverPage) ||
      (fcntl(memory_.number(), F_GET_SEALS) & kSeals) != kSeals)
    throw of_another_version();
  map();
  // One of another version may have the same size.
  if (page_->magic == kPageMagic && page_->size == sizeof(DriverPage)) return;
  munmap(page_, sizeof(DriverPage));
  throw of_another_version();
}

void SharedPage::map() {
  void* const mapped = mmap(nullptr, sizeof(DriverPage), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_POPULATE, memory_.number(), 0);
  if (mapped == MAP_FAILED) throw no_page("cannot be mapped");
  page_ = static_cast<DriverPage*>(mapped);
  mlock(mapped, sizeof(DriverPage));  // if the host allows it
}

SharedPage::~SharedPage() {
  munmap(page_, sizeof(DriverPage));
}

}  // namespace trestle::driver
