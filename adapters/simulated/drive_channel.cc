#include "adapters/simulated/drive_channel.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "adapters/simulated/drive_file.h"

namespace trestle::simulated {
namespace {

constexpr int kPatience = 200;  // [ms]

}  // namespace

DriveChannel::DriveChannel(std::string folder, const std::vector<std::string>& ports,
                           std::vector<Eigen::Index> own)
    : folder_(std::move(folder)), names_(ports), ports_(ports.size()) {
  for (const Eigen::Index port : own) ports_[static_cast<std::size_t>(port)].own = true;
}

DriveChannel::~DriveChannel() = default;

void DriveChannel::open() {
  std::error_code ignored;  // making the files says why
  std::filesystem::create_directories(folder_, ignored);
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    Port& port = ports_[i];
    port.here = true;
    port.file.reset();  // of a lock that it may hold itself
    port.file =
        std::make_unique<DriveFile>(folder_ + "/" + names_[i] + ".drives", port.own);
  }
}

void DriveChannel::tell(std::int64_t tick, const Eigen::VectorXd& drive) noexcept {
  for (std::size_t i = 0; i < ports_.size(); ++i)
    if (ports_[i].own) ports_[i].file->write(tick, drive[static_cast<Eigen::Index>(i)]);
}

void DriveChannel::hear(std::int64_t tick, Eigen::VectorXd& drive) noexcept {
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    Port& port = ports_[i];
    if (port.own) continue;
    if (port.file->newest() >= tick) port.here = true;
    if (port.here) port.here = port.file->wait_for(tick, kPatience);
    drive[static_cast<Eigen::Index>(i)] = port.file->read(tick);
  }
}

}  // namespace trestle::simulated
